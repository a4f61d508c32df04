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

  private func expect(
    _ status: Int, _ sentence: String, of method: HTTPMethod = .get, _ url: String, _ fields: HTTPFields = [:],
    allow: String? = nil
  ) async throws {
    let response = try await http.send(HTTPRequest(method, #require(URL(string: url)), fields: fields))
    #expect(response.status == status, "\(method) \(url)")
    let html = String(decoding: response.body, as: UTF8.self)
    #expect(html.contains("<p>\(sentence)</p>"), "\(html)")
    // The page has a style and loads nothing.
    let nonce = html.firstMatch(of: /<style nonce="([^"]{20,})">/)?.output.1 ?? ""
    let policy = response.fields["Content-Security-Policy"] ?? ""
    #expect(policy.hasPrefix("default-src 'none'; style-src 'nonce-\(nonce)'"), "\(policy)")
    #expect(policy.contains("; frame-ancestors 'none'") && response.fields["Referrer-Policy"] == "no-referrer")
    #expect(!html.contains("s3cret"))
    #expect(response.fields["Allow"] == allow)
    #expect(response.fields["Cache-Control"] == "no-store")
  }

  @Test func everyPageSaysWhatToDo() async throws {
    let client = try Fixtures.client(clock: ManualClock())
    let notHere = "There is nothing at this URL."
    let onlyGet = "Only GET is supported here."
    let ahead = "The sign-in begins when this page is opened."
    let done =
      "A &lt;Program&gt; has received the response and finishes the sign-in. You can close this window and return to A &lt;Program&gt;."
    let agent = LoopbackUserAgent(clock: ManualClock(), page: SignInPage(program: "A <Program>")) { link in
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
        HTTPRequest(.get, #require(URL(string: "\(base)/callback?code=s3cret&state=\(query["state"] ?? "")"))))
      #expect(answered.status == 303)
      let last = try #require(answered.fields["Location"])
      try await expect(200, done, "\(base)\(last)")
      try await expect(404, notHere, "\(base)\(last)")
    }
    let response = try await agent.authorize { try await client.beginAuthorization(scopes: [], redirectURI: $0) }
    #expect(response.callback.query()?.contains("code=s3cret") == true)
  }

  /// The last page by default, and one of the program's own, for each response of the server.
  @Test(arguments: [
    ("code=c", SignInPage.Outcome.allowed, "You allowed access"),
    ("error=access_denied", .denied, "You did not allow access"),
    ("error=user_cancelled_login", .denied, "You did not allow access"),
    ("error=server_error", .failed, "The sign-in did not succeed"),
  ])
  func lastPageSaysWhatHappened(_ query: String, _ outcome: SignInPage.Outcome, _ heading: String) async throws {
    let client = try Fixtures.client(clock: ManualClock())
    let own = SignInPage { "<!doctype html><style>p { color: red }</style><p>\($0)</p>" }
    for page in [SignInPage(program: "Field Notes"), own, SignInPage()] {
      let shown = Mutex("")
      let agent = LoopbackUserAgent(clock: ManualClock(), page: page) { [http] link in
        let opened = try await http.send(HTTPRequest(.get, link))
        let url = try #require(opened.fields["Location"].flatMap { URLComponents(string: $0) })
        let value = { (name: String) in url.queryItems?.first { $0.name == name }?.value ?? "" }
        let callback = try #require(URL(string: "\(value("redirect_uri"))?\(query)&state=\(value("state"))"))
        let answered = try await http.send(HTTPRequest(.get, callback))
        let last = try #require(URL(string: answered.fields["Location"] ?? "", relativeTo: callback)?.absoluteURL)
        let response = try await http.send(HTTPRequest(.get, last))
        shown.withLock {
          $0 = String(decoding: response.body, as: UTF8.self) + (response.fields["Content-Security-Policy"] ?? "")
        }
      }
      _ = try await agent.authorize { try await client.beginAuthorization(scopes: [], redirectURI: $0) }
      let text = shown.withLock(\.self)
      // Without a name, the page names the process.
      let isOwn = text.contains("color: red")
      #expect(text.contains(isOwn ? "<p>\(outcome)</p>" : "<h1>\(heading)</h1>"), "\(text)")
      #expect(isOwn || text.contains("Field Notes") || text.contains(ProcessInfo.processInfo.processName))
      #expect(text.contains("script-src") == false && text.contains("default-src 'none'"))
    }
  }
}
