// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import OAuthUserAgents
import Synchronization
import TestSupport
import Testing

/// The loopback port's responses to a browser, page by page.
@Suite(.takesTurns) struct LoopbackPageTests {
  private let http = CurlTransport(limits: .init(redirects: 0))

  private func page(_ sentence: String) -> String {
    """
    <!doctype html>
    <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Sign-in</title><p>\(sentence)</p></html>
    """
  }

  private func expect(
    _ status: Int, _ sentence: String, of method: HTTPMethod = .get, _ url: String, _ fields: HTTPFields = [:],
    allow: String? = nil
  ) async throws {
    let response = try await http.send(HTTPRequest(method, #require(URL(string: url)), fields: fields))
    #expect(response.status == status, "\(method) \(url)")
    #expect(String(decoding: response.body, as: UTF8.self) == page(sentence))
    #expect(response.fields["Allow"] == allow)
    #expect(response.fields["Cache-Control"] == "no-store")
  }

  @Test func everyPageSaysWhatToDo() async throws {
    let client = try Fixtures.client(clock: ManualClock())
    let notHere = "There is nothing at this URL."
    let onlyGet = "Only GET is supported here."
    let ahead = "The sign-in begins when this page is opened."
    let done = "The server has responded. You can close this window and return to the application."
    let agent = LoopbackUserAgent(clock: ManualClock()) { link in
      let base = try #require(
        link.absoluteString.firstRange(of: "/start/").map { link.absoluteString[..<$0.lowerBound] })
      try await expect(404, notHere, "\(base)/other")
      try await expect(405, onlyGet, of: .post, link.absoluteString, allow: "GET")
      try await expect(405, onlyGet, of: .post, "\(base)/callback", allow: "GET")
      try await expect(
        400, "This is not part of the current sign-in. Return to the application.", "\(base)/callback")
      for value in ["prefetch", "Prerender", "preview"] {
        try await expect(503, ahead, link.absoluteString, ["Sec-Purpose": value])
      }
      // Another purpose, and another field, are no look ahead.
      let opened = try await http.send(
        HTTPRequest(.get, link, fields: ["Sec-Purpose": "navigate", "X-Other": "prefetch"]))
      #expect(opened.status == 303 && opened.body.isEmpty)
      let query = FormEncoding.form.decode(
        opened.fields["Location"].flatMap { URL(string: $0)?.query(percentEncoded: true) } ?? "")
      let answered = try await http.send(
        HTTPRequest(.get, #require(URL(string: "\(base)/callback?code=c&state=\(query["state"] ?? "")"))))
      #expect(answered.status == 303)
      let last = try #require(answered.fields["Location"])
      try await expect(200, done, "\(base)\(last)")
      try await expect(404, notHere, "\(base)\(last)")
    }
    let response = try await agent.authorize { try await client.beginAuthorization(scopes: [], redirectURI: $0) }
    #expect(response.callback.query()?.contains("code=c") == true)
  }

  @Test func linkThatWasUsedSaysSo() async throws {
    let client = try Fixtures.client(clock: ManualClock())
    let agent = LoopbackUserAgent(clock: ManualClock()) { link in
      _ = try await http.send(HTTPRequest(.get, link))
      try await expect(
        410, "This link has already been used, so the sign-in has ended. Return to the application and start it again.",
        link.absoluteString)
    }
    let error = await #expect(throws: OAuthError.self) {
      try await agent.authorize { try await client.beginAuthorization(scopes: [], redirectURI: $0) }
    }
    #expect(error?.code == .linkReused)
  }
}
