// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

@Suite("What an OAuthError names")
struct OAuthErrorTests {
  private let clock = ManualClock()

  private static let refusal = Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400)

  @Test(arguments: [
    (nil, OAuthError.Code.signInRequired), ("no refresh token", .signInRequired), ("refused", .signInRequired),
    ("another issuer", .issuerMismatch), ("another client", .clientMismatch),
  ])
  func anErrorOfTheStoredTokenNamesTheAccount(_ stored: String?, _ code: OAuthError.Code) async throws {
    var token = Fixtures.expired(clock, refreshToken: stored == "no refresh token" ? nil : "refresh-1")
    if stored == "another issuer" { token.issuer = "https://other.example" }
    if stored == "another client" { token.clientID = "other" }
    let storage = stored == nil ? InMemoryTokenStorage() : try await InMemoryTokenStorage.holding(token, as: "zoë")
    let source = RefreshingTokenSource(
      client: try Fixtures.client(StubTransport { _ in Self.refusal }, clock: clock), storage: storage, account: "zoë")
    let error = try #require(await expectError(code) { try await source.accessToken() })
    #expect(error.account == "zoë" && error.description == "Account \"zoë\": \(error.message)")
  }

  @Test func anErrorOfASignInOrARevocationNamesTheAccount() async throws {
    let storage = try await InMemoryTokenStorage.holding(Fixtures.expired(clock), as: "me")
    let account = OAuthAccount(
      client: try Fixtures.client(StubTransport { _ in HTTPResponse(status: 503) }, clock: clock), storage: storage,
      account: "me", scopes: [], userAgent: nil)
    let errors = [
      await expectError(.signInRequired) { try await account.signIn() },
      await expectError(.unsupported, "https://login.example") { try await account.signInOnDevice { _ in } },
      await expectError(.serverUnavailable) { try await account.revoke() },
    ]
    for error in errors { #expect(error?.account == "me") }
  }

  @Test func anAccountCannotBringControlCharactersToATerminal() async throws {
    let source = RefreshingTokenSource(
      client: try Fixtures.client(StubTransport()), storage: InMemoryTokenStorage(), account: "m\u{1B}[2J\u{202E}e")
    let error = await #expect(throws: OAuthError.self) { try await source.accessToken() }
    #expect(error?.description.hasPrefix("Account \"m[2Je\": ") == true)
  }
}
