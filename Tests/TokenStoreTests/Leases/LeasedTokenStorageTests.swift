// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Synchronization
import TestSupport
import Testing
import TokenStore

/// Two machines that share rows.
@Suite(.hangLimit) struct LeasedTokenStorageTests {
  private let clock = VirtualLeaseClock()
  private let rows: MemoryRows
  private let one: LeasedTokenStorage
  private let other: LeasedTokenStorage
  private let intent = SpendingIntent(credentialDigest: [1], requestLimit: .seconds(30))

  init() async throws {
    rows = MemoryRows(clock: clock)
    one = LeasedTokenStorage(rows: rows, clock: clock)
    other = LeasedTokenStorage(rows: rows, clock: clock)
    try await other.withExclusiveAccess(to: "a") { try await $0.write(Self.token("first")) }
  }

  private static func token(_ name: String) -> StoredToken {
    StoredToken(accessToken: Secret("\(name)-access"), refreshToken: Secret(name))
  }

  private var stored: String? {
    get async throws { try await other.token(for: "a")?.refreshToken?.reveal() }
  }

  /// Refreshes as an account does.
  private func refresh(with storage: LeasedTokenStorage, to name: String) async throws {
    try await storage.withExclusiveAccess(to: "a") { slot in
      _ = try await slot.read()
      let deadline = try #require(try await slot.prepareToSpend(intent))
      #expect(clock.now < deadline)
      try await slot.write(Self.token(name))
    }
  }

  /// Runs `pause` while a machine that has exclusive access is stopped, after its lease and its request must have ended.
  private func stopped(_ pause: () async throws -> Void) async throws {
    rows.endLeases()
    try await pause()
  }

  @Test func holderThatWasStoppedBeforeItsNoteSpendsNothing() async throws {
    try await one.withExclusiveAccess(to: "a") { slot in
      _ = try await slot.read()
      try await stopped { try await refresh(with: other, to: "second") }
      let error = try await #require(throws: TokenStorageError.self) { try await slot.prepareToSpend(intent) }
      #expect(error.code == .superseded)
      #expect(try await slot.read()?.refreshToken?.reveal() == "second")
    }
  }

  @Test func holderThatWasStoppedAfterItsNoteIsTooLate() async throws {
    try await one.withExclusiveAccess(to: "a") { slot in
      _ = try await slot.read()
      let deadline = try #require(try await slot.prepareToSpend(intent))
      clock.advance(by: .seconds(60))
      #expect(clock.now > deadline)
    }
  }

  /// The store computes the end of the lease after it has received the note, which can take any time.
  @Test func sendingDeadlineCountsFromBeforeTheNote() async throws {
    rows.state.withLock { $0.beforeNote = { [clock] in clock.advance(by: .seconds(2)) } }
    try await one.withExclusiveAccess(to: "a") { slot in
      _ = try await slot.read()
      let start = clock.now
      let deadline = try await slot.prepareToSpend(intent)
      #expect(deadline == start + LeaseRules().sendingWindow)
    }
  }

  @Test func tokenOfALostLeaseIsStoredIfNobodyHasRefreshed() async throws {
    try await one.withExclusiveAccess(to: "a") { slot in
      _ = try await slot.read()
      _ = try await slot.prepareToSpend(intent)
      try await stopped {
        try await other.withExclusiveAccess(to: "a") { otherSlot in
          #expect(try await otherSlot.read()?.refreshToken?.reveal() == "first")
          try await slot.write(Self.token("second"))
          // The credential that the other machine has read is spent.
          let error = try await #require(throws: TokenStorageError.self) { try await otherSlot.prepareToSpend(intent) }
          #expect(error.code == .superseded)
        }
      }
    }
    #expect(try await stored == "second")
  }

  /// `LeaseRulesTests` has the other changes that a write may meet.
  @Test func newerTokenIsNeverReplaced() async throws {
    try await one.withExclusiveAccess(to: "a") { slot in
      _ = try await slot.read()
      _ = try await slot.prepareToSpend(intent)
      try await stopped { try await other.withExclusiveAccess(to: "a") { try await $0.write(Self.token("newer")) } }
      let error = try await #require(throws: TokenStorageError.self) { try await slot.write(Self.token("older")) }
      #expect(error.code == .superseded)
      #expect(try await slot.read()?.refreshToken?.reveal() == "newer")
    }
    #expect(try await stored == "newer")
  }

  @Test func requestOfAMachineThatDiedIsWaitedFor() async throws {
    rows.state.withLock { state in
      state.rows[Array("a".utf8)]?.row.intent = .init(lease: 1, credentialDigest: [1], remaining: .zero)
      state.rows[Array("a".utf8)]?.intentEnd = clock.now + .seconds(20)
    }
    try await one.withExclusiveAccess(to: "a") { slot in
      _ = try await slot.read()
      let start = clock.now
      async let deadline = slot.prepareToSpend(intent)
      while clock.now - start < .seconds(20) {
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
      }
      #expect(try await deadline == start + .seconds(20) + LeaseRules().sendingWindow)
    }
  }

  @Test func writeWithAnUnknownOutcomeIsReadAgain() async throws {
    rows.state.withLock { $0.faults = [.lostResponse] }
    try await refresh(with: one, to: "second")
    #expect(try await stored == "second")
  }

  @Test func tokenThatCannotBeWrittenIsKeptByTheStorage() async throws {
    let error = try await #require(throws: TokenStorageError.self) {
      try await one.withExclusiveAccess(to: "a") { slot in
        _ = try await slot.read()
        _ = try await slot.prepareToSpend(intent)
        rows.state.withLock { $0.isDown = true }
        try await slot.write(Self.token("second"))
      }
    }
    #expect(error.code == .unavailable)
    // The lease is kept and renewed meanwhile, so that no other machine spends the old token.
    rows.state.withLock { state in
      state.isDown = false
      state.faults = Array(repeating: .unavailable, count: 1_000)
    }
    let start = clock.now
    while clock.now - start < .seconds(60) {
      try await clock.waitForSleepers(2)
      clock.advance(by: .seconds(1))
      let lease = try await rows.acquire("a", holder: "other", for: .seconds(1))
      guard case .held = lease else { return #expect(Bool(false), "The lease was given up.") }
    }
    rows.state.withLock { $0.faults = [] }
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(5))
    while try await stored != "second" { await Task.yield() }
    // The lease has ended with it.
    try await refresh(with: other, to: "third")
    #expect(try await stored == "third")
  }

  @Test func tokenThatCannotBeWrittenIsWrittenAtTheEndOfTheProgram() async throws {
    try? await one.withExclusiveAccess(to: "a") { slot in
      _ = try await slot.read()
      _ = try await slot.prepareToSpend(intent)
      rows.state.withLock { $0.faults = [.unavailable] }
      try await slot.write(Self.token("second"))
    }
    try await one.writeUnwritten()
    #expect(try await stored == "second")
  }

  @Test func leaseIsRenewedUntilItsHardLimit() async throws {
    try await one.withExclusiveAccess(to: "a") { slot in
      let start = clock.now
      while clock.now - start < .seconds(120) {
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3))
        // The renewal is under way.
        while rows.state.withLock({ ($0.rows[Array("a".utf8)]?.lease?.end ?? clock.now) < clock.now + .seconds(6) }) {
          await Task.yield()
        }
      }
      clock.advance(by: .seconds(300))
      while rows.state.withLock({ ($0.rows[Array("a".utf8)]?.lease?.end ?? clock.now) < clock.now }) {
        await Task.yield()
      }
      clock.advance(by: .seconds(11))
      // The body hangs, but the account is free.
      try await refresh(with: other, to: "second")
    }
    #expect(try await stored == "second")
  }

  @Test func cancelledWaiterLeavesNoLease() async throws {
    for _ in 0..<50 {
      let task = Task { try await one.withExclusiveAccess(to: "b") { _ in } }
      await Task.yield()
      task.cancel()
      _ = try? await task.value
    }
    while rows.state.withLock({ $0.rows[Array("b".utf8)] != nil }) { await Task.yield() }
  }

  /// Also after the wait limit, when it would be told that the account is busy.
  @Test func waiterThatIsCancelledAnywhereThrowsCancellationError() async throws {
    var runs = 0
    // The request for the lease suspends, unless the rows respond before.
    for _ in 1...20 where runs < 3 {
      var failures: [(any Error)?] = []
      runs = try await cancellingAtEverySuspension { _ in
        let rows = MemoryRows(clock: clock)
        _ = try await rows.acquire("a", holder: "another machine", for: .seconds(60))
        return LeasedTokenStorage(rows: rows, clock: clock, waitLimit: .zero)
      } of: { storage in
        try await storage.withExclusiveAccess(to: "a") { @Sendable _ in }
      } then: {
        failures.append($1)
      }
      // The last run is not cancelled.
      #expect((failures.popLast() as? TokenStorageError)?.code == .busy)
      #expect(failures.allSatisfy { $0 is CancellationError })
    }
    #expect(runs > 2)
  }

  /// On a clock that stands still, so that no lease and no wait ends because the machine is busy.
  @Test(arguments: TokenStorageConformance.checks)
  func storageKeepsThePromise(_ check: TokenStorageConformance.Check) async throws {
    let rows = MemoryRows(clock: clock)
    try await TokenStorageConformance { [clock] in
      LeasedTokenStorage(rows: rows, clock: clock)
    } reopen: { [clock] _ in
      LeasedTokenStorage(rows: rows, clock: clock)
    } endAccess: { _ in
      rows.endLeases()
    }.run(check)
  }
}
