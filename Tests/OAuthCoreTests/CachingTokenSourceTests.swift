// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

@Suite(.hangLimit) struct CachingTokenSourceTests {
  private let clock = ManualClock()

  /// A source whose tokens the test makes and counts.
  private final class CountingSource: TokenSource {
    let gate: AsyncGate?
    let rejected = Mutex<[Secret?]>([])
    let cancellations = AsyncStream<Void>.makeStream()
    private let make: @Sendable (Int) -> AccessToken

    init(
      gate: AsyncGate? = nil, make: @escaping @Sendable (Int) -> AccessToken = { AccessToken(Secret("token-\($0)")) }
    ) {
      self.gate = gate
      self.make = make
    }

    var count: Int { rejected.withLock(\.count) }

    func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
      let number = self.rejected.withLock { all in
        all.append(rejected?.value)
        return all.count
      }
      try await withTaskCancellationHandler {
        try await gate?.pass()
      } onCancel: {
        cancellations.continuation.yield()
        Task { [gate] in await gate?.open() }
      }
      try Task.checkCancellation()
      return make(number)
    }
  }

  private func hourly(gate: AsyncGate? = nil) -> CountingSource {
    let clock = clock
    return CountingSource(gate: gate) { number in
      AccessToken(
        Secret("token-\(number)"), type: "Bearer", scopes: ["read"], expiresAt: clock.now + .seconds(3600),
        issuedAt: clock.now)
    }
  }

  // MARK: The grant of a client, with and without storage

  private func server() -> StubTransport {
    let count = Mutex(0)
    return StubTransport { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return Fixtures.json(#"{"access_token":"app-\#(number)","token_type":"Bearer","expires_in":3600}"#)
    }
  }

  @Test func clientsOwnTokenIsRequestedOnceUntilItExpires() async throws {
    let server = server()
    let client = try Fixtures.client(server, authentication: .clientSecretPost(Secret("s")), clock: clock)
    let tokens = ClientCredentials(client: client, scopes: ["read", "write"]).cached(clock: clock)
    for _ in 0..<3 { #expect(try await tokens.accessToken().value == Secret("app-1")) }
    #expect(server.requests.map { $0.form["grant_type"] } == ["client_credentials"])
    #expect(server.requests.map { $0.form["client_secret"] } == ["s"])
    #expect(try await tokens.accessToken().scopes == ["read", "write"])
    clock.advance(by: .seconds(3540))
    #expect(try await tokens.accessToken().value == Secret("app-2"))
  }

  @Test func sourcesThatShareAStorageShareOneToken() async throws {
    let server = server()
    let client = try Fixtures.client(server, clock: clock)
    let storage = InMemoryTokenStorage()
    let first = ClientCredentials(client: client).cached(in: storage, account: "app", clock: clock)
    let token = try await first.accessToken()
    // As another process would.
    let second = ClientCredentials(client: client).cached(in: storage, account: "app", clock: clock)
    #expect(try await second.accessToken() == token)
    #expect(server.requests.count == 1)
    // One of the two replaces a token that is rejected; the other finds the new one.
    let replacement = try await second.accessToken(replacing: token)
    #expect(replacement.value == Secret("app-2"))
    #expect(try await first.accessToken(replacing: token) == replacement)
    #expect(server.requests.count == 2)
    #expect(try await storage.token(for: "app")?.accessToken == Secret("app-2"))
  }

  @Test func recordOfAUserIsNotUsedForAnotherSource() async throws {
    let source = hourly()
    let user = Fixtures.expired(clock)
    let storage = try await InMemoryTokenStorage.holding(user)
    await expectError(.clientMismatch) {
      try await source.cached(in: storage, account: "me", clock: clock).accessToken()
    }
    #expect(try await storage.token(for: "me") == user)
    #expect(source.count == 0)
  }

  @Test func everythingTheSourceSaysIsKeptInTheStorage() async throws {
    let token = AccessToken(
      Secret("t"), type: "DPoP", scopes: ["a", "b"], expiresAt: clock.now + .seconds(600), issuedAt: clock.now,
      serverClockOffset: .seconds(7))
    let storage = InMemoryTokenStorage()
    _ = try await CountingSource { _ in token }.cached(in: storage, account: "app", clock: clock).accessToken()
    let reader = hourly()
    #expect(try await reader.cached(in: storage, account: "app", clock: clock).accessToken() == token)
    #expect(reader.count == 0)
  }

  // MARK: Sharing

  @Test func fetchIsCancelledWhenTheLastCallerLeaves() async throws {
    let source = hourly(gate: AsyncGate())
    let tokens = source.cached(clock: clock)
    let callers = (0..<2).map { _ in Task { try await tokens.accessToken() } }
    await source.gate?.waitForArrival()
    for caller in callers {
      caller.cancel()
      await #expect(throws: CancellationError.self) { try await caller.value }
    }
    for await _ in source.cancellations.stream { break }
    #expect(try await tokens.accessToken().value == Secret("token-2"))
  }

  // MARK: Expiry

  @Test func tokenWithoutAnExpiryIsKeptUntilItIsRejected() async throws {
    let source = CountingSource()
    let tokens = source.cached(clock: clock)
    let token = try await tokens.accessToken()
    clock.advance(by: .seconds(1_000_000))
    #expect(try await tokens.accessToken() == token)
    #expect(try await tokens.accessToken(replacing: token).value == Secret("token-2"))
    #expect(source.rejected.withLock { $0 } == [nil, Secret("token-1")])
  }
}
