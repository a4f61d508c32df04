// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// A program that wants more scopes than the tokens were granted for.
@Suite(.hangLimit) struct AddedScopesTests {
  /// An authorization server with its page.
  private final class Server: Sendable {
    private struct State {
      var scope: String?
      var subject = "1"
      var query = "code=c&state=STATE"
      var pages: [FormFields] = []
      var paths: [String] = []
    }

    private let state = Mutex(State())

    /// - Parameter scope: What is granted; `nil` for what is requested, which the response does not repeat.
    func grant(_ scope: String?, to subject: String = "1") {
      state.withLock { ($0.scope, $0.subject, $0.query) = (scope, subject, "code=c&state=STATE") }
    }

    func deny() { state.withLock { $0.query = "error=access_denied&state=STATE" } }

    /// The requests of the pages that were shown.
    var pages: [FormFields] { state.withLock { $0.pages } }
    /// The paths that requests were sent to.
    var paths: [String] { state.withLock { $0.paths } }

    var transport: StubTransport {
      StubTransport { [self] request in
        let (scope, subject) = state.withLock { state in
          state.paths.append(request.url.path())
          return (state.scope, state.subject)
        }
        let claims = Base64URL.encode(Array(#"{"sub":"\#(subject)","email":"user\#(subject)@example.org"}"#.utf8))
        let granted = scope.map { #","scope":"\#($0)""# } ?? ""
        return Fixtures.json(
          #"{"access_token":"token \#(subject)","refresh_token":"r","expires_in":3600,"id_token":"e30.\#(claims).c2ln"\#(granted)}"#
        )
      }
    }

    var userAgent: ScriptedUserAgent {
      ScriptedUserAgent { [self] pending in
        let query = state.withLock { state in
          state.pages.append(pending.query)
          return state.query
        }
        return try Fixtures.callback(pending, query)
      }
    }
  }

  private let clock = ManualClock()
  private let storage = InMemoryTokenStorage()
  private let server = Server()

  /// Another process may sign in for the scopes that are new, and its token may have expired since, or be another client's.
  @Test(
    arguments: [(3600, "app", "theirs"), (-1, "app", "token 1"), (3600, "other", nil)] as [(Int, String, String?)])
  func tokenOfAnotherProcessIsUsedInPlaceOfASignInWhileItIsValid(
    _ seconds: Int, _ client: String, _ expected: String?
  ) async throws {
    var lacking = Fixtures.expired(clock).expiring(at: clock.now + .seconds(3600))
    lacking.requestedScopes = ["read"]
    var wider = lacking.expiring(at: clock.now + .seconds(seconds))
    (wider.accessToken, wider.clientID) = (Secret("theirs"), client)
    (wider.scopes, wider.requestedScopes) = (["read", "write"], ["read", "write"])
    let reads = Mutex([lacking, wider])
    let changing = HookedStorage(
      base: storage, read: { reads.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } })
    let account = OAuthAccount(
      client: try Fixtures.client(server.transport, clock: clock), storage: changing, account: "me",
      scopes: ["read", "write"], userAgent: server.userAgent)
    if let expected {
      #expect(try await account.authorize().value == Secret(expected))
    } else {
      await expectError(.clientMismatch) { try await account.authorize() }
    }
    #expect(server.pages.count == (expected == "token 1" ? 1 : 0))
  }

  /// A run of the program: an account over the storage that the runs share.
  private func account(
    _ scopes: [Scope], hasUserAgent: Bool = true, rule: ScopeRule = .exact
  ) throws -> OAuthAccount {
    OAuthAccount(
      client: try Fixtures.client(server.transport, clock: clock), storage: storage, account: "me", scopes: scopes,
      userAgent: hasUserAgent ? server.userAgent : nil, scopeRule: rule)
  }

  private func signIn(_ scopes: [Scope], granting scope: String? = nil) async throws {
    server.grant(scope)
    try await account(scopes).signIn()
  }

  @Test func newScopeSignsInOnceForAllOfThem() async throws {
    try await signIn(["openid", "read"])
    for _ in 1...3 {
      let account = try account(["openid", "write"])
      for _ in 1...2 { #expect(try await account.authorize().scopes == ["openid", "write", "read"]) }
    }
    #expect(server.pages.map { $0["scope"] } == ["openid read", "openid write read"])
    #expect(server.pages.map { $0["login_hint"] } == [nil, "user1@example.org"])
  }

  @Test func scopeThatTheUserRefusesDoesNotBringThePageBack() async throws {
    try await signIn(["openid", "read"])
    server.grant("openid read")
    for _ in 1...3 {
      #expect(try await account(["openid", "read", "write"]).authorize().scopes == ["openid", "read"])
    }
    #expect(server.pages.count == 2)
    #expect(try await storage.token(for: "me")?.requestedScopes == ["openid", "read", "write"])
  }

  @Test func refusalAsAWholeIsSaidOnceAndKeepsTheTokens() async throws {
    try await signIn(["openid", "read"])
    let before = try #require(try await storage.token(for: "me"))
    server.deny()
    let account = try account(["openid", "read", "write"])
    await expectError(.accessDenied) { try await account.authorize() }
    #expect(try await account.authorize().value == Secret("token 1"))
    #expect(try await self.account(["write"]).authorize().value == Secret("token 1"))
    #expect(server.pages.count == 2)
    var after = try #require(try await storage.token(for: "me"))
    #expect(after.requestedScopes == ["openid", "read", "write"])
    after.requestedScopes = before.requestedScopes
    #expect(after == before)
  }

  @Test func scopeThatTheRuleFindsGrantedNeedsNoPage() async throws {
    try await signIn(["openid", "all"], granting: "openid long/all")
    let rule = ScopeRule { scope, granted in granted.contains(scope) || granted.contains("long/all") }
    #expect(try await account(["openid", "read"], rule: rule).authorize().value == Secret("token 1"))
    #expect(try await account(["openid"], rule: rule).authorize(adding: ["read"]).value == Secret("token 1"))
    #expect(server.pages.count == 1)
    try await account(["openid", "read"]).authorize()
    #expect(server.pages.count == 2)
  }

  @Test func programWithoutAPageGetsTheStoredToken() async throws {
    try await signIn(["openid", "read"])
    let account = try account(["openid", "write"], hasUserAgent: false)
    #expect(try await account.authorize().value == Secret("token 1"))
    await expectError(.signInRequired, "Begin a sign-in for more scopes") {
      try await account.authorize(adding: ["write"])
    }
    #expect(server.pages.count == 1)
  }

  @Test func tokensOfAnEarlierReleaseAreReturned() async throws {
    try await signIn(["openid", "read"])
    var token = try #require(try await storage.token(for: "me"))
    token.requestedScopes = nil
    try await storage.withExclusiveAccess(to: "me") { [token] in try await $0.write(token) }
    #expect(try await account(["openid", "write"]).authorize().value == Secret("token 1"))
    #expect(server.pages.count == 1)
  }

  @Test func refreshKeepsWhatWasRequested() async throws {
    try await signIn(["openid", "read", "write"], granting: "openid read")
    clock.advance(by: .seconds(3600))
    try await account(["openid", "read", "write"]).authorize()
    #expect(server.paths == ["/token", "/token"])
    #expect(try await storage.token(for: "me")?.requestedScopes == ["openid", "read", "write"])
    #expect(server.pages.count == 1)
  }

  @Test(arguments: [true, false]) func anotherUserIsRefused(_ isAdded: Bool) async throws {
    try await signIn(["openid", "read"])
    let before = try await storage.token(for: "me")
    server.grant(nil, to: "2")
    let account = try account(isAdded ? ["openid", "read"] : ["openid", "write"])
    await expectError(.subjectMismatch) {
      if isAdded { try await account.authorize(adding: ["write"]) } else { try await account.authorize() }
    }
    #expect(try await storage.token(for: "me") == before)
    // The other user may be signed in under another name.
    #expect(!server.paths.contains("/revoke"))
    // To change users is what a sign-in without a condition is for.
    #expect(try await account.signIn().value == Secret("token 2"))
  }

  @Test func recordOfAnotherClientSaysNothingAboutUserAndScopes() async throws {
    try await signIn(["openid", "read"])
    var token = try #require(try await storage.token(for: "me"))
    token.clientID = "other"
    try await storage.withExclusiveAccess(to: "me") { [token] in try await $0.write(token) }
    server.grant(nil, to: "2")
    #expect(try await account(["openid"]).authorize(adding: ["write"]).value == Secret("token 2"))
    #expect(server.pages.last?["scope"] == "openid write")
    #expect(server.pages.last?["login_hint"] == nil)
  }

  @Test func signInOfAnotherProcessIsFound() async throws {
    try await signIn(["openid", "read"])
    let early = try account(["openid", "write"])
    // It has the token in memory before another process signs in.
    _ = try await early.tokens.accessToken()
    try await account(["openid", "write"]).authorize()
    #expect(try await early.authorize().scopes == ["openid", "write", "read"])
    #expect(try await early.tokens.accessToken().scopes == ["openid", "write", "read"])
    #expect(server.pages.count == 2)
  }

  @Test func errorsNameTheAccountAsItsUserKnowsIt() async throws {
    let account = OAuthAccount(
      client: try Fixtures.client(server.transport, clock: clock), storage: storage, account: "me client", scopes: [],
      name: "me")
    let error = await #expect(throws: OAuthError.self) { try await account.authorize() }
    #expect(error?.account == "me")
    #expect(account.account == "me client")
  }
}
