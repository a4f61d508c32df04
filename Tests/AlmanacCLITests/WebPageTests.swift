// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import AlmanacSandbox
import Foundation
import HTTPTransport
import TestSupport
import Testing

/// The pages of the demonstration.
///
/// `Transcripts/pages.web` contains each response of one visit: of a page, its notice, new lists, title and buttons. The fields of the responses
/// are tested by `WebSiteTests`.
///
/// `ALMANAC_RECORD_TRANSCRIPTS=1` writes the actual responses to the file. Read each change before you commit it.
@Suite(.takesTurns) struct WebPageTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Transcripts/pages.web")

  @Test func pagesMatchTheTranscript() async throws {
    var found: [String] = []
    try await DemoEnvironment.with { demo in
      let visit = await Visit(demo)
      try await visit.make()
      found = visit.shown
    }
    if ProcessInfo.processInfo.environment["ALMANAC_RECORD_TRANSCRIPTS"] != nil {
      try found.joined(separator: "\n").write(to: Self.file, atomically: true, encoding: .utf8)
      return
    }
    let written = try String(contentsOf: Self.file, encoding: .utf8).components(separatedBy: "\n")
    let different = zip(found, written).first { $0 != $1 }
    #expect(different?.0 == different?.1)
    #expect(found.count == written.count)
  }
}

/// One browser that visits the site.
private final class Visit {
  private let demo: DemoEnvironment
  private let site: WebSite
  private var cookie: String?
  private var key = ""
  private(set) var shown: [String] = []

  init(_ demo: DemoEnvironment) async {
    self.demo = demo
    site = WebSite(demo: demo)
    await site.start(at: URL(literal: "http://127.0.0.1:4321"))
  }

  func make() async throws {
    let entrance = await site.entrance.path()
    try await send(.get, "/")
    let opened = try await send(.get, entrance)
    try await send(.get, entrance)
    cookie = opened.fields["Set-Cookie"]?.split(separator: ";").first.map(String.init)
    try await send(.get, "/")
    for (method, path) in [(HTTPMethod.get, "/nowhere"), (.get, "/grant"), (.post, "/"), (.get, "/callback")] {
      try await send(method, path)
    }
    try await send(.get, "/callback?code=c&state=s")
    try await send(.get, "/token")
    try await send(.post, "/grant", "key=x")
    try await grant { try demo.sandbox.deny($0) }
    try await grant { try demo.sandbox.approve($0, granting: ["openid", "email"]) }
    try await send(.post, "/revoke", "key=\(key)")
    try await send(.get, "/")
    try await grant { try demo.sandbox.approve($0) }
    for path in ["/hour", "/forget", "/relaunch"] {
      try await send(.post, path, "key=\(key)")
      // The second page has no notice.
      for _ in 1...2 { try await send(.get, "/") }
    }
    try await send(.post, "/revoke-at-server", "key=\(key)")
    try await send(.get, "/")
  }

  /// Presses Grant, and returns from the server.
  private func grant(_ decide: (URL) throws -> URL) async throws {
    let server = try #require(try await send(.post, "/grant", "key=\(key)").fields["Location"])
    let callback = try decide(try #require(URL(string: server)))
    let answered = try await send(.get, "/callback?\(try #require(callback.query()))")
    if answered.fields["Location"] == "/token" { try await send(.get, "/token") }
    try await send(.get, "/")
  }

  @discardableResult
  private func send(_ method: HTTPMethod, _ path: String, _ form: String = "") async throws -> HTTPResponse {
    var request = HTTPRequest(
      method, try #require(URL(string: "http://127.0.0.1:4321\(path)")), body: Array(form.utf8))
    request.fields["Cookie"] = cookie
    let response = await site.respond(to: request)
    let location = response.fields["Location"].map { " → \($0)" } ?? ""
    shown.append(normalized("\(method.rawValue) \(path): \(response.status)\(location)"))
    let body = String(decoding: response.body, as: UTF8.self)
    if let match = body.firstMatch(of: /name="key" value="([^"]+)"/) { key = String(match.1) }
    guard response.fields["Content-Type"]?.hasPrefix("text/html") == true else { return response }
    let buttons = body.matches(of: /<button id="([^"]+)"/).map { String($0.1) }
    let lines = normalized(body).split(separator: "\n").map(String.init)
    shown += lines.filter { line in
      let isNew = line.hasPrefix("<dl>") && !shown.contains(line)
      return isNew || line.hasPrefix("<section class=\"status") || line.hasPrefix("<section class=\"progress")
    }
    shown +=
      lines.filter { $0.hasPrefix("<title>") } + (buttons.isEmpty ? [] : ["[\(buttons.joined(separator: "] ["))]"])
    return response
  }

  /// Returns the text with placeholders for the parts that differ in every run: tokens and the port.
  private func normalized(_ text: String) -> String {
    text.replacing(/(^|[^A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/) { "\($0.1)TOKEN" }
      .replacing("%3A\(demo.google.services.apiURL.port ?? 0)", with: "%3APORT")
      .replacing(demo.google.services.apiURL.absoluteString.replacing(#/\/$/#, with: ""), with: "SERVER")
  }
}
