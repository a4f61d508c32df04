// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

/// A stored token is for the client and the server that it names; one that names none is for no client.
@Suite struct TokenOwnerTests {
  private static let records: [(issuer: String?, client: String?, code: OAuthError.Code)] = [
    (nil, nil, .issuerMismatch), (nil, "app", .issuerMismatch), ("https://login.example", nil, .clientMismatch),
    ("https://other.example", "app", .issuerMismatch), ("https://login.example", "other", .clientMismatch),
    ("", "app", .issuerMismatch), ("https://login.example", "", .clientMismatch),
  ]

  @Test(arguments: records) func tokenOfAnotherIsNotUsedRefreshedOrRevoked(
    issuer: String?, client: String?, code: OAuthError.Code
  ) async throws {
    let token = StoredToken(
      accessToken: Secret("access"), refreshToken: Secret("refresh"), issuer: issuer, clientID: client)
    let transport = StubTransport()
    let account = OAuthAccount(
      client: try Fixtures.client(transport),
      storage: try await InMemoryTokenStorage.holding(token), account: "me", scopes: [])
    let uses: [@Sendable () async throws -> Void] = [
      { try await account.authorize() }, { _ = try await account.client.refresh(token) },
      { try await account.client.revoke(token) }, { try await account.revoke() },
    ]
    for use in uses {
      let error = await #expect(throws: OAuthError.self) { try await use() }
      #expect(error?.code == code)
    }
    #expect(transport.requests.isEmpty)
    #expect(try await account.storedToken == token)
  }

  @Test func recordThatACallerWritesNamesBoth() async throws {
    let token = StoredToken(accessToken: Secret("access"), issuer: "https://login.example", clientID: "app")
    let account = OAuthAccount(
      client: try Fixtures.client(StubTransport()), storage: try await InMemoryTokenStorage.holding(token),
      account: "me", scopes: [])
    #expect(try await account.authorize().value == Secret("access"))
  }
}
