// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// Runs a whole journey, faults included, and looks for every secret that went over the wire in everything that was said.
@Suite(.hangLimit) struct SecrecyTests {
  /// Notes every secret that passes, and breaks answers when told to.
  private final class Wire: Transport {
    private let base: any Transport
    private let noted = Mutex<Set<String>>([])
    let fault = Mutex<(@Sendable (HTTPResponse) throws -> HTTPResponse)?>(nil)

    init(_ base: some Transport) { self.base = base }

    var secrets: Set<String> { noted.withLock { $0 } }

    func note(_ secret: String?) {
      guard let secret, secret.count >= 16 else { return }
      noted.withLock { _ = $0.insert(secret) }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      note(request.fields["Authorization"].map { String($0.dropFirst("Bearer ".count)) })
      let form = FormEncoding.form.decode(String(decoding: request.body ?? [], as: UTF8.self))
      for name in ["code", "code_verifier", "refresh_token", "token"] { note(form[name]) }
      let response = try await base.send(request)
      if let answer = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any] {
        for name in ["access_token", "refresh_token", "id_token"] { note(answer[name] as? String) }
      }
      return try fault.withLock { $0 }?(response) ?? response
    }
  }

  @Test func noSecretIsInAnythingThatIsSaidOrLeftBehind() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let clock = ManualClock()
    let sandbox = Sandbox(clock: clock)
    let wire = Wire(sandbox.transport())
    let said = Mutex("")
    let say = { @Sendable (value: Any) in
      var text = "\(value)\n\(String(reflecting: value))\n"
      dump(value, to: &text)
      said.withLock { $0 += text }
    }
    let user = ScriptedUserAgent { pending in
      say(pending)
      wire.note(pending.state.reveal())
      wire.note(pending.nonce?.reveal())
      let callback = try sandbox.approve(pending.authorizationURL)
      wire.note(FormEncoding.form.decode(callback.query(percentEncoded: true) ?? "")["code"])
      say(AuthorizationResponse(pending: pending, callback: callback))
      return callback
    }
    let storage = FileTokenStorage(directory: folder.appending(path: "tokens"))
    let google = try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: [.openID, .email, .profile, .calendarReadOnly], account: "me",
      storage: storage, userAgent: user,
      options: .init(
        services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
        transport: wire.logging(clock: clock) { say($0) }, clock: clock))

    say(try await google.authorize())
    say(google)
    say(try #require(try await storage.token(for: "me almanac")))
    say(try await google.profile())

    let faults: [@Sendable (HTTPResponse) throws -> HTTPResponse] = [
      { HTTPResponse(status: 500, fields: $0.fields, body: $0.body) },
      { HTTPResponse(status: 400, fields: $0.fields, body: $0.body) },
      { HTTPResponse(status: 200, fields: $0.fields, body: Array($0.body.dropLast(2))) },
      { HTTPResponse(status: 200, fields: $0.fields, body: Array("<html>".utf8) + $0.body) },
      { _ in throw TransportError(.connectionLost, "The connection was lost.") },
      { HTTPResponse(status: 401, fields: $0.fields, body: $0.body) },
    ]
    for fault in faults {
      try await google.oauthAccount.signIn()
      clock.advance(by: .seconds(3600))
      wire.fault.withLock { $0 = fault }
      do {
        _ = try await google.calendar.calendarList.list()
        Issue.record("The fault went unnoticed.")
      } catch {
        say(error)
      }
      wire.fault.withLock { $0 = nil }
    }
    for entry in sandbox.log { say(entry) }
    try await google.oauthAccount.signIn()

    let text = said.withLock { $0 }
    #expect(wire.secrets.count > 20)
    for secret in wire.secrets { #expect(!text.contains(secret), "a secret of \(secret.count) characters was said") }
    #expect(text.contains("<redacted>"))

    // The current tokens are in the one file of the store and nowhere else.
    let current = try #require(try await storage.token(for: "me almanac"))
    let holding = try files(in: folder).filter {
      try String(contentsOf: $0, encoding: .utf8).contains(current.accessToken.reveal())
    }
    #expect(holding.map(\.lastPathComponent) == ["me%20almanac.json"])
    try await google.revoke()
    for file in try files(in: folder) {
      let content = try String(contentsOf: file, encoding: .utf8)
      #expect(!wire.secrets.contains { content.contains($0) })
    }
  }

  private func files(in folder: URL) throws -> [URL] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
    return paths.map { folder.appending(path: $0) }.filter {
      !$0.hasDirectoryPath && (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    }
  }
}
