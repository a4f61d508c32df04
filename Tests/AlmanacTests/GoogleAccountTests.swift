// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import OpenIDConnect
import Testing
import Timekeeping
import TokenStore

/// The whole library against the sandbox, in process: no network, no disk, no waiting.
@Suite(.timeLimit(.minutes(1))) struct GoogleAccountTests {
  private let clock = ManualClock()
  private let sandbox: Sandbox
  private let storage = InMemoryTokenStorage()

  init() { sandbox = Sandbox(clock: clock) }

  private func account(_ userAgent: (any UserAgent)? = nil) throws -> GoogleAccount {
    try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: GoogleScope.default,
      services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
      transport: sandbox.transport(), storage: storage, clock: clock, userAgent: userAgent ?? sandbox.approvingUser)
  }

  @Test func signsInListsRefreshesHealsAndRevokes() async throws {
    let google = try account()
    try await google.authorize()
    var titles: [String] = []
    for try await entry in google.calendar.calendarList.entries(.init(maxResults: 5)) { titles.append(entry.title) }
    #expect(titles.count >= 12)
    #expect(try await google.profile().email == sandbox.configuration.person.email)

    clock.advance(by: .seconds(3600))
    _ = try await google.calendar.colors.get()
    #expect(sandbox.refreshRequestCount == 1)

    sandbox.invalidateAccessTokens()
    _ = try await google.calendar.colors.get()
    #expect(sandbox.refreshRequestCount == 2)

    try await google.revoke()
    let error = await #expect(throws: OAuthError.self) { try await google.calendar.colors.get() }
    #expect(error?.code == .signInRequired)
  }

  @Test func signOutRemovesTheTokensAndLeavesTheAccessAtTheServer() async throws {
    let google = try account()
    let token = try await google.authorize()
    try await google.signOut()
    #expect(try await storage.accounts().isEmpty)
    let error = await #expect(throws: OAuthError.self) { try await google.calendar.colors.get() }
    #expect(error?.code == .signInRequired)
    // The server still accepts the token.
    let colors = HTTPRequest(
      .get, Sandbox.inProcessURL.appending(path: "calendar/v3/colors"),
      fields: ["Authorization": "Bearer \(token.value.reveal())"])
    #expect(try await sandbox.transport().send(colors).status == 200)
  }

  @Test func manyRequestsAtOnceShareOneRefresh() async throws {
    let google = try account()
    try await google.authorize()
    clock.advance(by: .seconds(3600))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = try await google.calendar.calendarList.list() } }
      try await group.waitForAll()
    }
    #expect(sandbox.refreshRequestCount == 1)
  }

  @Test func refusalIsAccessDeniedAndStoresNothing() async throws {
    let error = await #expect(throws: OAuthError.self) { try await account(sandbox.denyingUser).authorize() }
    #expect(error?.code == .accessDenied)
    #expect(try await storage.accounts().isEmpty)
  }

  @Test func signInEndedByTheServerAsksForANewOne() async throws {
    let google = try account()
    try await google.authorize()
    sandbox.revokeGrants()
    let error = await #expect(throws: OAuthError.self) { try await google.calendar.colors.get() }
    #expect(error?.code == .signInRequired)
    try await google.authorize()
    _ = try await google.calendar.colors.get()
  }

  @Test func tokenGoesToTheServicesAlone() async throws {
    let google = try account()
    try await google.authorize()
    let foreign = try #require(URL(string: "https://evil.example/"))
    let error = await #expect(throws: OAuthError.self) { try await google.transport().send(HTTPRequest(.get, foreign)) }
    #expect(error?.code == .originNotAllowed)
  }

  @Test func serverWithoutABrowserSignsInInTwoSteps() async throws {
    let google = try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: [.calendarReadOnly],
      services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
      transport: sandbox.transport(), storage: storage, clock: clock, userAgent: nil)
    let error = await #expect(throws: OAuthError.self) { try await google.authorize() }
    #expect(error?.code == .signInRequired)
    let pending = try await google.authorization.beginSignIn(redirectURI: ScriptedUserAgent.loopbackRedirect)
    let callback = try sandbox.approve(pending.authorizationURL)
    try await google.authorization.completeSignIn(pending, callback: callback)
    _ = try await google.calendar.colors.get()
  }
}

@Suite struct SecretSourceTests {
  @Test func fileIsReadWithoutItsLineEnd() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("  s3cret\r\n".utf8).write(to: file)
    #expect(try SecretSource.file(file.path()).secret() == Secret("s3cret"))
    try Data(" \n".utf8).write(to: file)
    #expect(throws: OAuthError.self) { try SecretSource.file(file.path()).secret() }
  }

  @Test func whatIsNotThereIsATypedError() {
    let variable = #expect(throws: OAuthError.self) { try SecretSource.environment("ALMANAC_NOT_SET").secret() }
    #expect(variable?.code == .invalidConfiguration)
    let file = #expect(throws: OAuthError.self) { try SecretSource.file("/nonexistent/secret").secret() }
    #expect(file?.code == .invalidConfiguration)
  }
}

@Suite struct GoogleScopeTests {
  private static let emailURL = "https://www.googleapis.com/auth/userinfo.email"

  @Test(arguments: [
    (GoogleScope.email, ["openid", emailURL], true), (GoogleScope(rawValue: emailURL), ["email"], true),
    (GoogleScope(rawValue: emailURL), [emailURL], true), (.email, ["email"], true), (.email, ["profile"], false),
    (.email, ["https://www.googleapis.com/auth/userinfo.profile"], false), (.email, [], false),
    (.profile, ["https://www.googleapis.com/auth/userinfo.profile"], true), (.profile, [emailURL], false),
    (.calendarReadOnly, ["https://www.googleapis.com/auth/calendar.readonly"], true),
    (.calendarReadOnly, ["https://www.googleapis.com/auth/calendar"], false),
  ])
  func emailAndProfileHaveTwoNames(_ scope: GoogleScope, _ granted: [String], _ isGranted: Bool) {
    #expect(scope.isGranted(by: granted) == isGranted)
  }

  @Test(arguments: [
    ("calendar.readonly", "https://www.googleapis.com/auth/calendar.readonly"), ("openid", "openid"),
    ("email", "email"),
    ("https://www.googleapis.com/auth/drive", "https://www.googleapis.com/auth/drive"),
  ])
  func shortNameStandsForGooglesAddress(_ short: String, _ whole: String) {
    #expect(GoogleScope(shortName: short).rawValue == whole)
  }
}
