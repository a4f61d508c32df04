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

@Suite(.hangLimit) struct RefreshingTokenSourceTests {
  private let clock = ManualClock()

  /// A token endpoint that rotates and counts, and answers when the test says so.
  private final class TokenEndpoint: Sendable {
    let gate = AsyncGate()
    let count = Mutex(0)
    private let lifetime: Int

    init(lifetime: Int = 3600) { self.lifetime = lifetime }

    func transport(gated: Bool = false) -> StubTransport {
      StubTransport { [self] request in
        if gated { try await gate.pass() }
        try Task.checkCancellation()
        let number = count.withLock { count in
          count += 1
          return count
        }
        return Fixtures.json(
          #"{"access_token":"new-\#(number)","refresh_token":"refresh-\#(number + 1)","expires_in":\#(lifetime)}"#)
      }
    }

    var requests: Int { count.withLock { $0 } }
  }

  private func source(_ transport: some Transport, _ storage: some TokenStorage) throws -> RefreshingTokenSource {
    RefreshingTokenSource(client: try Fixtures.client(transport, clock: clock), storage: storage, account: "me")
  }

  private func source(_ transport: some Transport, holding token: StoredToken) async throws -> RefreshingTokenSource {
    try source(transport, try await InMemoryTokenStorage.holding(token))
  }

  /// A token that expires in a number of seconds.
  private func token(for seconds: Int, refreshToken: String? = "refresh-1") -> StoredToken {
    Fixtures.expired(clock, refreshToken: refreshToken).expiring(at: clock.now + .seconds(seconds))
  }

  /// A valid token that another process stored.
  private var theirs: StoredToken {
    var token = self.token(for: 3600, refreshToken: "theirs")
    token.accessToken = Secret("theirs")
    return token
  }

  private var refusing: StubTransport {
    StubTransport { _ in Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400) }
  }

  @Test(arguments: [(61, 0), (60, 1), (0, 1), (-10, 1)])
  func tokenIsRefreshedWithinTheLeeway(_ secondsLeft: Int, _ refreshes: Int) async throws {
    let endpoint = TokenEndpoint()
    let source = try await source(endpoint.transport(), holding: token(for: secondsLeft))
    _ = try await source.accessToken()
    #expect(endpoint.requests == refreshes)
  }

  @Test func leewayIsAtMostHalfTheLifetime() async throws {
    let server = TokenEndpoint(lifetime: 40).transport()
    let storage = try await InMemoryTokenStorage.holding(Fixtures.expired(clock))
    let source = try source(server, storage)
    for _ in 0..<3 { #expect(try await source.accessToken().value == Secret("new-1")) }
    clock.advance(by: .seconds(19))
    // Another process knows it from the record.
    for source in [source, try self.source(server, storage)] {
      #expect(try await source.accessToken().value == Secret("new-1"))
    }
    clock.advance(by: .seconds(1))
    #expect(try await source.accessToken().value == Secret("new-2"))
  }

  @Test func concurrentCallersShareOneRefresh() async throws {
    let endpoint = TokenEndpoint()
    let source = try await source(endpoint.transport(gated: true), holding: Fixtures.expired(clock))
    async let tokens = withThrowingTaskGroup(of: AccessToken.self) { group in
      for _ in 0..<100 { group.addTask { try await source.accessToken() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    await endpoint.gate.open()
    #expect(try await Set(tokens.map(\.value)) == [Secret("new-1")])
    #expect(endpoint.requests == 1)
  }

  @Test func cancelledCallerLeavesAtOnceAndDisturbsNobody() async throws {
    let endpoint = TokenEndpoint()
    let source = try await source(endpoint.transport(gated: true), holding: Fixtures.expired(clock))
    let first = Task { try await source.accessToken() }
    await endpoint.gate.waitForArrival()
    let second = Task { try await source.accessToken() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await endpoint.gate.open()
    #expect(try await second.value.value == Secret("new-1"))
    #expect(endpoint.requests == 1)
  }

  @Test func refreshThatWasSentIsStoredEvenIfNobodyWaitsAnyMore() async throws {
    let endpoint = TokenEndpoint()
    let storage = try await InMemoryTokenStorage.holding(Fixtures.expired(clock))
    let source = try source(endpoint.transport(gated: true), storage)
    let caller = Task { try await source.accessToken() }
    await endpoint.gate.waitForArrival()
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    await endpoint.gate.open()
    // The next caller waits for the same exclusive access, and finds the rotated token there.
    #expect(try await source.accessToken().value == Secret("new-1"))
    #expect(try await storage.token(for: "me")?.refreshToken == Secret("refresh-2"))
    #expect(endpoint.requests == 1)
  }

  @Test func tokenThatIsStillGoodOutlivesAStoppedHolderOfTheLock() async throws {
    let source = try source(StubTransport(), HookedStorage.busy(holding: token(for: 30)))
    let held = try await source.accessToken()
    #expect(held.value == Secret("access-1"))
    let rejection = await #expect(throws: TokenStorageError.self) { try await source.accessToken(replacing: held) }
    clock.advance(by: .seconds(30))
    let expiry = await #expect(throws: TokenStorageError.self) { try await source.accessToken() }
    #expect(rejection?.code == .busy && expiry?.code == .busy)
  }

  @Test func tokenThatIsStillGoodOutlivesAServerThatIsDown() async throws {
    let source = try await source(StubTransport { _ in HTTPResponse(status: 503) }, holding: token(for: 30))
    let held = try await source.accessToken()
    #expect(held.value == Secret("access-1"))
    await expectError(.serverUnavailable) { try await source.accessToken(replacing: held) }
    clock.advance(by: .seconds(31))
    await expectError(.serverUnavailable) { try await source.accessToken() }
  }

  @Test func onlyARefusedRefreshTokenAsksForASignIn() async throws {
    let storage = try await InMemoryTokenStorage.holding(Fixtures.expired(clock))
    let source = try source(refusing, storage)
    await expectError(.signInRequired) { try await source.accessToken() }
    #expect(try await storage.token(for: "me") != nil)
  }

  @Test func tokenThatWasRejectedWithNoWayToReplaceItIsNotHandedOutAgain() async throws {
    let storage = try await InMemoryTokenStorage.holding(token(for: 3600))
    let source = try source(refusing, storage)
    let rejected = try await source.accessToken()
    for asking in [source, source, try self.source(refusing, storage)] {
      await expectError(.signInRequired) { try await asking.accessToken(replacing: rejected) }
      await expectError(.signInRequired) { try await asking.accessToken() }
    }
  }

  @Test func rejectionWithoutARefreshTokenDoesNotCostTheLogin() async throws {
    let token = self.token(for: 3600, refreshToken: nil)
    let storage = try await InMemoryTokenStorage.holding(token)
    let heard = Mutex<[SignInEvent]>([])
    let source = RefreshingTokenSource(
      client: try Fixtures.client(StubTransport(), clock: clock), storage: storage, account: "me"
    ) { event in heard.withLock { $0.append(event) } }
    let rejected = try await source.accessToken()
    await expectError(.signInRequired) { try await source.accessToken(replacing: rejected) }
    #expect(try await storage.token(for: "me") == token)
    #expect(try await source.accessToken() == rejected)
    #expect(heard.withLock { $0 }.isEmpty)
  }

  @Test func refusedRefreshFindsWhatAFasterWriterStored() async throws {
    let newer = theirs
    let stored = Mutex<StoredToken?>(nil)
    let storage = HookedStorage(
      base: try await InMemoryTokenStorage.holding(Fixtures.expired(clock)), intruded: { stored.withLock { $0 } })
    let source = try source(
      StubTransport { _ in
        stored.withLock { $0 = newer }
        return Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400)
      }, storage)
    #expect(try await source.accessToken().value == Secret("theirs"))
  }

  @Test("A record of another server or client that appears meanwhile is sent to no server", arguments: [true, false])
  func recordOfAnotherOwnerThatAppearsMeanwhileIsNotSent(_ isOfAnotherServer: Bool) async throws {
    let endpoint = TokenEndpoint()
    var other = Fixtures.expired(clock, refreshToken: "theirs")
    if isOfAnotherServer { other.issuer = "https://other.example" } else { other.clientID = "other" }
    // The plain read before the lock still finds the client's own record.
    let storage = HookedStorage(
      base: try await InMemoryTokenStorage.holding(Fixtures.expired(clock)), intruded: { [other] in other })
    let source = try source(endpoint.transport(), storage)
    await expectError(isOfAnotherServer ? .issuerMismatch : .clientMismatch) { try await source.accessToken() }
    #expect(endpoint.requests == 0)
  }

  @Test func refreshReadsTheRecordOnceAndUnderTheLock() async throws {
    let token = self.token(for: 3600)
    let storage = CountingStorage(try await InMemoryTokenStorage.holding(token))
    let source = try source(TokenEndpoint().transport(), storage)
    _ = try await source.accessToken()
    #expect(storage.uses == [.read])
    clock.advance(by: .seconds(3600))
    #expect(try await source.accessToken().value == Secret("new-1"))
    #expect(storage.uses == [.read, .lock, .lockedRead, .write])
    let rejected = try await source.accessToken()
    #expect(try await source.accessToken(replacing: rejected).value == Secret("new-2"))
    #expect(storage.uses.suffix(3) == [.lock, .lockedRead, .write])
    #expect(storage.uses.count == 7)
  }

  @Test func tokenThatAnotherProcessHasRefreshedIsFoundByTheOneRead() async throws {
    let endpoint = TokenEndpoint()
    let token = self.token(for: 3600)
    let base = try await InMemoryTokenStorage.holding(token)
    let storage = CountingStorage(base)
    let source = try source(endpoint.transport(), storage)
    _ = try await source.accessToken()
    clock.advance(by: .seconds(3600))
    let newer = theirs
    try await base.withExclusiveAccess(to: "me") { try await $0.write(newer) }
    #expect(try await source.accessToken().value == Secret("theirs"))
    #expect(storage.uses == [.read, .lock, .lockedRead])
    #expect(endpoint.requests == 0)
  }

  /// The server's response was not stored: its refresh token is in memory alone, even if the record looks valid.
  @Test(arguments: [-1, 3600]) func rotatedTokenSurvivesAStorageThatFailsOnce(_ seconds: Int) async throws {
    let endpoint = TokenEndpoint()
    let token = self.token(for: seconds)
    let storage = HookedStorage.failingOnce(try await InMemoryTokenStorage.holding(token))
    let source = try source(endpoint.transport(), storage)
    await #expect(throws: TokenStorageError.self) {
      try await source.accessToken(replacing: AccessToken(token.accessToken))
    }
    #expect(try await source.accessToken().value == Secret("new-1"))
    #expect(try await storage.token(for: "me")?.refreshToken == Secret("refresh-2"))
    #expect(endpoint.requests == 1)
  }

  @Test("A rotated token that was stored, at once or later, is forgotten", arguments: [false, true])
  func storedRotatedTokenDoesNotReplaceALaterRecord(_ failsOnce: Bool) async throws {
    let transport = TokenEndpoint().transport()
    let base = try await InMemoryTokenStorage.holding(Fixtures.expired(clock))
    let source = try failsOnce ? source(transport, HookedStorage.failingOnce(base)) : source(transport, base)
    if failsOnce { await #expect(throws: TokenStorageError.self) { try await source.accessToken() } }
    #expect(try await source.accessToken().value == Secret("new-1"))
    // A backup brings back the record whose refresh token was spent.
    let restored = Fixtures.expired(clock)
    try await base.withExclusiveAccess(to: "me") { try await $0.write(restored) }
    clock.advance(by: .seconds(3600))
    #expect(try await source.accessToken().value == Secret("new-2"))
    #expect(transport.requests.map { $0.form["refresh_token"] } == ["refresh-1", "refresh-1"])
  }

  @Test func serverThatGivesTheRejectedTokenAgainIsNotAskedForEver() async throws {
    let token = self.token(for: 3600)
    let server = StubTransport { _ in Fixtures.json(#"{"access_token":"access-1","expires_in":3600}"#) }
    let source = try await source(server, holding: token)
    let rejected = try await source.accessToken()
    _ = try await source.accessToken(replacing: rejected)
    #expect(server.requests.count == 2)
  }

  @Test func tokenThatCannotBeRefreshedIsGoodToItsEnd() async throws {
    let source = try await source(StubTransport(), holding: token(for: 30, refreshToken: nil))
    #expect(try await source.accessToken().value == Secret("access-1"))
    clock.advance(by: .seconds(30))
    await expectError(.signInRequired) { try await source.accessToken() }
  }

  @Test func refreshThatNobodyWaitsForIsNotBegun() async throws {
    let endpoint = TokenEndpoint()
    let storage = try await InMemoryTokenStorage.holding(Fixtures.expired(clock))
    let source = try source(endpoint.transport(), storage)
    let caller = try await storage.withExclusiveAccess(to: "me") { _ in
      let caller = Task { try await source.accessToken() }
      caller.cancel()
      await #expect(throws: CancellationError.self) { try await caller.value }
      return caller
    }
    _ = await caller.result
    // Exclusive access is granted in order: this one would come after a refresh that was still queued.
    try await storage.withExclusiveAccess(to: "me") { _ in }
    #expect(endpoint.requests == 0)
  }

  @Test func tokenThatCouldNotBeStoredDoesNotOverwriteSomebodyElses() async throws {
    let endpoint = TokenEndpoint()
    let storage = HookedStorage.failingOnce(try await InMemoryTokenStorage.holding(Fixtures.expired(clock)))
    let source = try source(endpoint.transport(), storage)
    await #expect(throws: TokenStorageError.self) { try await source.accessToken() }
    let newer = theirs
    try await storage.withExclusiveAccess(to: "me") { try await $0.write(newer) }
    #expect(try await source.accessToken().value == Secret("theirs"))
    #expect(try await storage.token(for: "me") == newer)
  }

  @Test func signInRequiredIsNotHiddenByAStorageThatFails() async throws {
    let token = self.token(for: 3600)
    let heard = Mutex<[SignInEvent]>([])
    let source = RefreshingTokenSource(
      client: try Fixtures.client(refusing, clock: clock),
      storage: HookedStorage.failingOnce(try await InMemoryTokenStorage.holding(token)), account: "me"
    ) { event in heard.withLock { $0.append(event) } }
    let rejected = try await source.accessToken()
    await expectError(.signInRequired) { try await source.accessToken(replacing: rejected) }
    #expect(heard.withLock { $0 } == [.signInRequired])
  }
}
