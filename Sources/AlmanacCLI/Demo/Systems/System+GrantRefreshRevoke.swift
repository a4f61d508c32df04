// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import CalendarAPI
import HTTPTransport
import OAuthCore
import PlatformFoundation
import Support
import Synchronization
import Timekeeping
import TokenStore

extension SystemsDemo.System {
  static let grantRefreshRevoke = Self(
    name: "Spanish tutorial, part 3",
    replaces: "grant, refresh and revoke in a web view, payloads joined by hand, a token whose age is its file's"
  ) { _, checks in
    try await DemoEnvironment.with { demo in
      try await grant(demo, &checks)
      try await refresh(demo, &checks)
      try await revoke(demo, &checks)
      try await deny(demo, &checks)
    }
  }

  private static func grant(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    try await demo.google.authorize()
    try checks.expect(
      demo.count(.codeRedeemed) == 1,
      "grant: one code was exchanged, with PKCE, the callback received on a loopback port")
    let token = try await demo.google.oauthAccount.storedToken
    try checks.expect(
      token?.scopes == demo.google.oauthAccount.scopes, "every scope was understood: the payload is escaped")
    let modes = try permissions(below: demo.storage.path)
    try checks.expect(
      !modes.files.isEmpty && modes.files.allSatisfy { $0 == 0o600 } && modes.folder == 0o700,
      "the token is in a file that only you can read, in a folder that only you can enter")
  }

  private static func refresh(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    let folder = demo.storage.path
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: "\(folder)/\(file)")
    }
    // A second account object reads the tokens from the same file.
    let reader = try demo.account(DemoEnvironment.browser(), account: "demo")
    _ = try await reader.calendar.calendarList.list()
    try checks.expect(demo.count(.tokenRefreshed) == 0, "a file of 1970 does not make the token old")
    demo.clock.advance(by: .seconds(3600))
    _ = try await demo.google.calendar.calendarList.list()
    try checks.expect(demo.count(.tokenRefreshed) == 1, "refresh: an hour later by the clock it is refreshed, once")
  }

  private static func revoke(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    try await demo.google.revoke()
    let isGone = try await demo.google.oauthAccount.storedToken == nil
    try checks.expect(
      demo.count(.tokenRevoked) == 1 && isGone, "revoke: the server ended the access, the token is removed")
  }

  private static func deny(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    let redirect = Mutex<URL?>(nil)
    let google = try demo.account(
      DemoEnvironment.browser(denies: true) { url in
        let query = FormEncoding.form.decode(url.query(percentEncoded: true) ?? "")
        redirect.withLock { $0 = query["redirect_uri"].flatMap { URL(string: $0) } }
      })
    try await checks.expect("a denial is distinguished from a failure") {
      try await google.authorize()
    } with: { (error: OAuthError) in
      error.code == .accessDenied
    }
    let isEmpty = try await demo.storage.accounts().isEmpty
    try checks.expect(isEmpty, "and nothing is stored")
    guard let redirectURI = redirect.withLock({ $0 }) else { throw DemoFailure("the sign-in has a redirect URI") }
    try await checks.expect("and the port that waited for the callback is closed") {
      _ = try await DefaultTransport().send(HTTPRequest(.get, redirectURI))
    } with: { (error: TransportError) in
      error.code == .unreachable
    }
  }

  private static func permissions(below folder: String) throws -> (folder: Int, files: [Int]) {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    return (
      try FilePermissions.ofItem(at: folder), try files.map { try FilePermissions.ofItem(at: "\(folder)/\($0)") }
    )
  }
}
