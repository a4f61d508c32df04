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
      await expectError(code) { try await use() }
    }
    #expect(transport.requests.isEmpty)
    #expect(try await account.storedToken == token)
  }

  /// With a storage that throws for a sealed record, and with one that returns it.
  @Test(arguments: [false, true])
  func sealedRecordIsNotUsedOrReplacedWithoutItsKey(isReturned: Bool) async throws {
    let record = StoredToken(sealed: "2026-11.AAECAwQFBgc")
    let memory = try await InMemoryTokenStorage.holding(record)
    let transport = StubTransport()
    let account = OAuthAccount(
      client: try Fixtures.client(transport), storage: SealedRecordStorage(base: memory, isReturned: isReturned),
      account: "me", scopes: [],
      userAgent: ScriptedUserAgent { pending in
        Issue.record("A page was shown.")
        return try Fixtures.callback(pending, "code=c&state=STATE")
      })
    var uses: [@Sendable () async throws -> Void] = [
      { try await account.authorize() }, { try await account.revoke() }, { _ = try await account.storedToken },
      { _ = try await account.tokens.accessToken() },
    ]
    if !isReturned { uses.append { try await account.signIn() } }
    for use in uses {
      let error = try await #require(throws: TokenStorageError.self) { try await use() }
      #expect(error.code == .sealed)
    }
    #expect(transport.requests.isEmpty)
    #expect(try await memory.accounts() == ["me"])
    try await account.signOut()
    #expect(try await memory.accounts().isEmpty)
  }

  private struct SealedRecordStorage: TokenStorage {
    let base: InMemoryTokenStorage
    let isReturned: Bool

    private func record(_ read: () async throws -> StoredToken?) async throws -> StoredToken? {
      do {
        return try await read()
      } catch let error as TokenStorageError where isReturned {
        return error.sealed.map { StoredToken(sealed: $0) }
      }
    }

    func token(for account: String) async throws -> StoredToken? {
      try await record { try await base.token(for: account) }
    }

    func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      try await base.withExclusiveAccess(to: account) { try await body(Slot(base: $0, storage: self)) }
    }

    func accounts() async throws -> [String] { try await base.accounts() }

    private struct Slot: TokenSlot {
      let base: any TokenSlot
      let storage: SealedRecordStorage

      func read() async throws -> StoredToken? { try await storage.record { try await base.read() } }

      func write(_ token: StoredToken?) async throws { try await base.write(token) }
    }
  }
}
