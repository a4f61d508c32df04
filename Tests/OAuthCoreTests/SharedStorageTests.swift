// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// Refreshes with a storage that machines share, whose exclusive access can end at any time.
@Suite(.hangLimit) struct SharedStorageTests {
  private let clock = ManualClock()
  private let storage: SharedStorage

  init() async throws {
    storage = SharedStorage(Fixtures.expired(clock))
  }

  private func source(_ respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) throws
    -> (source: RefreshingTokenSource, server: StubTransport)
  {
    let server = StubTransport { try await respond($0) }
    return (
      RefreshingTokenSource(client: try Fixtures.client(server, clock: clock), storage: storage, account: "me"), server
    )
  }

  private static let renewed = Fixtures.json(
    #"{"access_token":"own","refresh_token":"refresh-own","expires_in":3600}"#)

  private func newer(_ name: String = "newer") -> StoredToken {
    var token = Fixtures.expired(clock, refreshToken: "refresh-\(name)")
    token.accessToken = Secret(name)
    token.expiresAt = clock.now + .seconds(3600)
    return token
  }

  @Test func intentIsNotedForEachRequest() async throws {
    let (source, server) = try source { _ in Self.renewed }
    _ = try await source.accessToken()
    let request = try #require(server.requests.first)
    #expect(request.timeout == .seconds(30))
    #expect(request.sendingDeadline == storage.deadline)
    #expect(storage.intents.map(\.credentialDigest) == [MessageDigest.sha256("refresh-1")])
    #expect(storage.intents.map(\.requestLimit) == [.seconds(30)])
  }

  @Test func nothingIsSentAfterTheDeadline() async throws {
    let (source, server) = try source { _ in Self.renewed }
    storage.change { state in
      state.deadlines = [.now - .seconds(1)]
      // Another machine refreshes meanwhile.
      state.beforeNextAccess = { [newer] in $0 = newer("newer") }
    }
    #expect(try await source.accessToken().value == Secret("newer"))
    #expect(server.requests.isEmpty)
  }

  @Test func refreshBeginsAgainIfTheRecordHasChanged() async throws {
    let (source, server) = try source { _ in Self.renewed }
    storage.change { state in
      state.refusals = 1
      state.beforeNextAccess = { [newer] in $0 = newer("newer") }
    }
    #expect(try await source.accessToken().value == Secret("newer"))
    #expect(server.requests.isEmpty)
  }

  @Test func refreshGivesUpIfTheRecordChangesForEver() async throws {
    let (source, server) = try source { _ in Self.renewed }
    storage.change { $0.refusals = 100 }
    let error = try await #require(throws: TokenStorageError.self) { try await source.accessToken() }
    #expect(error.code == .superseded)
    #expect(storage.intents.count == 5)
    #expect(server.requests.isEmpty)
  }

  @Test func newerTokenIsReturnedInPlaceOfTheOwn() async throws {
    let (source, server) = try source { [storage, newer] _ in
      storage.change { $0.token = newer("newer") }
      return Self.renewed
    }
    #expect(try await source.accessToken().value == Secret("newer"))
    #expect(storage.token?.accessToken == Secret("newer"))
    // It is also the one in memory.
    #expect(try await source.accessToken().value == Secret("newer"))
    // Nothing is revoked.
    #expect(server.requests.count == 1)
  }

  @Test func refusedTokenIsNotTheLastWordIfTheRecordHasChanged() async throws {
    let (source, server) = try source { [storage, clock] request in
      let form = String(decoding: request.body ?? [], as: UTF8.self)
      guard form.contains("refresh-1") else { return Self.renewed }
      // Another machine has refreshed, and its token has expired too.
      storage.change { $0.token = Fixtures.expired(clock, refreshToken: "refresh-2") }
      return Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400)
    }
    #expect(try await source.accessToken().value == Secret("own"))
    #expect(server.requests.count == 2)
  }

  @Test func refusedTokenKeepsItsRecord() async throws {
    let (source, server) = try source { _ in Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400) }
    await expectError(.signInRequired) { try await source.accessToken() }
    #expect(storage.token == Fixtures.expired(clock))
    #expect(server.requests.count == 1)
  }

  @Test func refusedTokenDoesNotReturnAfterASignOut() async throws {
    let valid = newer()
    storage.change { $0.token = valid }
    let (source, _) = try source { [storage] _ in
      storage.change { $0.token = nil }
      return Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400)
    }
    let rejected = try await source.accessToken()
    for token in [rejected, nil] {
      let error = try await #require(throws: OAuthError.self) { try await source.accessToken(replacing: token) }
      #expect(error.code == .signInRequired)
      #expect(storage.token == nil)
    }
  }
}

/// A storage whose record another machine can change at any time.
private final class SharedStorage: TokenStorage {
  struct State {
    var token: StoredToken?
    /// The deadlines of the next requests, before the usual one.
    var deadlines: [ContinuousClock.Instant] = []
    /// The number of intents that are refused.
    var refusals = 0
    var intents: [SpendingIntent] = []
    /// Changes the record before exclusive access is obtained for the second time.
    var beforeNextAccess: (@Sendable (inout StoredToken?) -> Void)?
    var accesses = 0
  }

  let deadline = ContinuousClock.now + .seconds(3600)
  private let state: Mutex<State>

  init(_ token: StoredToken) { state = Mutex(State(token: token)) }

  var token: StoredToken? { state.withLock(\.token) }
  var intents: [SpendingIntent] { state.withLock(\.intents) }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  func token(for account: String) async throws -> StoredToken? { token }

  func accounts() async throws -> [String] { ["me"] }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    change { state in
      state.accesses += 1
      if state.accesses == 2 { state.beforeNextAccess?(&state.token) }
    }
    return try await body(Slot(storage: self))
  }

  private final class Slot: TokenSlot {
    private let storage: SharedStorage
    private let known = Mutex<StoredToken?>(nil)

    init(storage: SharedStorage) { self.storage = storage }

    func read() async throws -> StoredToken? {
      let token = storage.token
      known.withLock { $0 = token }
      return token
    }

    func prepareToSpend(_ intent: SpendingIntent) async throws -> ContinuousClock.Instant? {
      try storage.state.withLock { state in
        state.intents.append(intent)
        if state.refusals > 0 {
          state.refusals -= 1
          throw TokenStorageError(.superseded, "The record has changed.")
        }
        return state.deadlines.isEmpty ? storage.deadline : state.deadlines.removeFirst()
      }
    }

    func write(_ token: StoredToken?) async throws {
      let known = known.withLock(\.self)
      try storage.state.withLock { state in
        guard state.token?.refreshToken == known?.refreshToken else {
          throw TokenStorageError(.superseded, "The record has changed.")
        }
        state.token = token
      }
    }
  }
}
