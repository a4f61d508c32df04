// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import OAuthCore
import OAuthJOSE
import Testing
import TokenStore

/// A program without a browser that wants more scopes than its tokens were granted for.
@Suite struct DeviceScopesTests {
  private let clock = ManualClock(skipsWaits: true)
  private let storage = InMemoryTokenStorage()
  private let sandbox: Sandbox

  init() {
    sandbox = Sandbox(clock: clock) {
      $0.idTokenAlgorithm = .es256
      $0.otherUsers = [Sandbox.User(subject: "2", email: "other@example.com")]
    }
  }

  /// The user in front of the other device.
  private enum Decision {
    case allow(as: String? = nil, scopes: Set<Scope>? = nil)
    case deny
  }

  private func account(_ scopes: [Scope]) throws -> OAuthAccount {
    let client = try OAuthClient(
      provider: sandbox.provider(), registration: ClientRegistration(clientID: "almanac"),
      transport: sandbox.transport(), clock: clock)
    return OAuthAccount(client: client, storage: storage, account: "me", scopes: scopes)
  }

  /// A run of the program: an account over the storage that the runs share.
  @discardableResult
  private func authorize(_ scopes: [Scope], _ decision: Decision = .allow()) async throws -> AccessToken {
    try await authorize(try account(scopes), decision)
  }

  @discardableResult
  private func authorize(_ account: OAuthAccount, _ decision: Decision = .allow()) async throws -> AccessToken {
    try await account.authorizeOnDevice { device in
      switch decision {
      case .allow(let user, let scopes): try sandbox.approve(userCode: device.userCode, granting: scopes, as: user)
      case .deny: try sandbox.approve(userCode: device.userCode, deny: true)
      }
    }
  }

  private var codes: Int { sandbox.requestCount(.deviceAuthorization) }
  private var stored: StoredToken? {
    get async throws { try await storage.token(for: "me") }
  }

  @Test func storedTokenNeedsNoCode() async throws {
    let token = try await authorize(["openid", "email"])
    #expect(try await authorize(["openid", "email"], .deny) == token)
    clock.advance(by: .seconds(3600))
    #expect(try await authorize(["openid", "email"], .deny).value != token.value)
    #expect(codes == 1)
    sandbox.revokeGrants()
    clock.advance(by: .seconds(3600))
    try await authorize(["openid", "email"])
    #expect(codes == 2)
  }

  @Test func newScopeNeedsOneCodeForAllOfThem() async throws {
    try await authorize(["openid", "email"])
    for _ in 1...2 {
      #expect(Set(try await authorize(["openid", "profile"]).scopes) == ["openid", "profile", "email"])
    }
    #expect(codes == 2)
    #expect(try await stored?.requestedScopes == ["openid", "profile", "email"])
  }

  @Test func scopeThatTheUserRefusesNeedsNoOtherCode() async throws {
    try await authorize(["openid", "email"])
    for _ in 1...2 {
      #expect(try await authorize(["openid", "profile"], .allow(scopes: ["openid", "email"])).scopes.count == 2)
    }
    #expect(codes == 2)
  }

  @Test func refusalAsAWholeIsSaidOnceAndKeepsTheTokens() async throws {
    let token = try await authorize(["openid", "email"])
    let error = await #expect(throws: OAuthError.self) { try await authorize(["openid", "profile"], .deny) }
    #expect(error?.code == .accessDenied)
    #expect(try await authorize(["openid", "profile"], .deny) == token)
    #expect(codes == 2)
  }

  @Test func anotherUserIsRefusedAndTheTokensAreKept() async throws {
    try await authorize(["openid", "email"])
    let before = try #require(try await stored)
    let error = await #expect(throws: OAuthError.self) {
      try await authorize(["openid", "profile"], .allow(as: "other@example.com"))
    }
    #expect(error?.code == .subjectMismatch)
    #expect(try await stored == before)
    clock.advance(by: .seconds(3600))
    #expect(try await authorize(["openid", "email"], .deny).scopes == before.scopes)
  }

  @Test func signInOfAnotherProcessIsFound() async throws {
    try await authorize(["openid", "email"])
    let early = try account(["openid", "profile"])
    // It has the token in memory before another process signs in.
    _ = try await early.tokens.accessToken()
    try await authorize(["openid", "profile"])
    #expect(Set(try await authorize(early, .deny).scopes) == ["openid", "profile", "email"])
    #expect(codes == 2)
  }
}
