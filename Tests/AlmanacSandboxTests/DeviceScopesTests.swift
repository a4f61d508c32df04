// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import OAuthCore
import OAuthJOSE
import Testing
import TokenStore

/// A program without a browser that wants more scopes than its tokens were granted for.
///
/// `AddedScopesTests` has the rules, which a sign-in through a browser shares.
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

  /// A run of the program: an account over the storage that the runs share.
  ///
  /// - Parameter user: The user who allows the access on the other device.
  @discardableResult
  private func authorize(_ scopes: [Scope], as user: String? = nil) async throws -> AccessToken {
    let client = try OAuthClient(
      provider: sandbox.provider(), registration: ClientRegistration(clientID: "almanac"),
      transport: sandbox.transport(), clock: clock)
    return try await OAuthAccount(client: client, storage: storage, account: "me", scopes: scopes)
      .authorizeOnDevice { try sandbox.approve(userCode: $0.userCode, as: user) }
  }

  private var codes: Int { sandbox.requestCount(.deviceAuthorization) }

  @Test func codeIsShownOnceForEachNewScope() async throws {
    let token = try await authorize(["openid", "email"])
    #expect(try await authorize(["openid", "email"]) == token)
    clock.advance(by: .seconds(3600))
    #expect(try await authorize(["openid", "email"]).value != token.value)
    #expect(codes == 1)
    for _ in 1...2 {
      #expect(Set(try await authorize(["openid", "profile"]).scopes) == ["openid", "profile", "email"])
    }
    #expect(codes == 2)
    sandbox.revokeGrants()
    clock.advance(by: .seconds(3600))
    try await authorize(["openid", "email"])
    #expect(codes == 3)
  }

  @Test func anotherUserIsRefusedAndTheTokensAreKept() async throws {
    try await authorize(["openid", "email"])
    let before = try await storage.token(for: "me")
    let error = await #expect(throws: OAuthError.self) {
      try await authorize(["openid", "profile"], as: "other@example.com")
    }
    #expect(error?.code == .subjectMismatch)
    #expect(try await storage.token(for: "me") == before)
  }
}
