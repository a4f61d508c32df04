// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import TestSupport
import Testing
import TokenStore
import TokenStoreSealed

@Suite(.hangLimit) struct ResealTests {
  private static let accounts = ["a", "b", "c", "d", "e"]

  /// Records of every kind: sealed by the old key, by the new one, and in plain text.
  private func fill(_ base: some TokenStorage) async throws {
    for account in ["a", "d"] { try await sealed(base, try oldRing()).write(token(account), for: account) }
    for account in ["b"] { try await sealed(base, try newRing()).write(token(account), for: account) }
    for account in ["c", "e"] { try await base.write(token(account), for: account) }
  }

  private func expectAllReadable(_ storage: some TokenStorage, _ comment: Comment? = nil) async throws {
    for account in Self.accounts {
      #expect(try await storage.token(for: account) == token(account), comment)
    }
  }

  @Test func everyRecordIsSealedByTheFirstKey() async throws {
    let base = InMemoryTokenStorage()
    try await fill(base)
    let storage = sealed(base, try ring(), plainRecords: .accepted)
    let before = try await base.sealedText("b")
    var report = try await storage.reseal()
    #expect(report.resealed == 4 && report.unchanged == 1 && report.failures.isEmpty)
    #expect(try await base.sealedText("b") == before)
    try await expectAllReadable(sealed(base, try newRing()))
    report = try await storage.reseal()
    #expect(report.resealed == 0 && report.unchanged == 5 && report.failures.isEmpty)
  }

  /// As if the process had ended before or after any step.
  @Test func interruptedCallLosesNothingAndAnotherOneDoesTheRest() async throws {
    var runs = 0
    for steps in 0... {
      let base = StoppingStorage()
      try await fill(base)
      let storage = sealed(base, try ring(), plainRecords: .accepted)
      base.stop(after: steps)
      let result = await Task { try await storage.reseal() }.result
      if !base.hasStopped {
        #expect(try result.get().resealed == 4)
        break
      }
      runs += 1
      #expect(throws: StoppingStorage.Stopped.self) { try result.get() }
      base.stop(after: nil)
      try await expectAllReadable(storage, "stopped after \(steps) steps")
      let report = try await storage.reseal()
      #expect(report.resealed + report.unchanged == 5 && report.failures.isEmpty)
      try await expectAllReadable(sealed(base, try newRing()), "stopped after \(steps) steps")
    }
    // Listing, five plain reads, and four times access, a read and a write, each with two places to stop.
    #expect(runs == 2 + 5 * 2 + 4 * 6)
  }

  @Test func cancelledCallLosesNothingAndAnotherOneDoesTheRest() async throws {
    let runs = try await cancellingAtEverySuspension { executor in
      let base = InMemoryTokenStorage()
      try await fill(base)
      return (base, YieldingStorage(base: base, executor: executor))
    } of: { (world: (base: InMemoryTokenStorage, storage: YieldingStorage)) in
      _ = try await sealed(world.storage, try ring(), plainRecords: .accepted).reseal()
    } then: { world, failure in
      #expect(failure == nil || failure is CancellationError)
      let storage = sealed(world.base, try ring(), plainRecords: .accepted)
      try await expectAllReadable(storage)
      #expect(try await storage.reseal().failures.isEmpty)
      try await expectAllReadable(sealed(world.base, try newRing()))
    }
    #expect(runs > 10)
  }

  private struct YieldingStorage: TokenStorage {
    let base: InMemoryTokenStorage
    let executor: any TaskExecutor

    private func yield() async { await withTaskExecutorPreference(executor) { await Task.yield() } }

    func token(for account: String) async throws -> StoredToken? {
      await yield()
      return try await base.token(for: account)
    }

    func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      await yield()
      return try await base.withExclusiveAccess(to: account, body)
    }

    func accounts() async throws -> [String] { try await base.accounts() }
  }

  @Test func recordsThatCannotBeOpenedAreReportedAndLeft() async throws {
    let base = InMemoryTokenStorage()
    try await fill(base)
    try await sealed(base, try SealingKeyRing([key("lost", 3)])).write(token("f"), for: "f")
    try await base.write(StoredToken(sealed: "x.y"), for: "g")
    let lost = try await base.sealedText("f")
    let storage = sealed(base, try ring())
    let report = try await storage.reseal()
    #expect(report.resealed == 2 && report.unchanged == 1)
    let failures = Dictionary(uniqueKeysWithValues: report.failures.map { ($0.account, $0.error.code) })
    #expect(failures == ["c": .notSealed, "e": .notSealed, "f": .unknownKey, "g": .damagedSeal])
    #expect(try await base.sealedText("f") == lost)
    #expect(try await base.sealedText("g") == "x.y")
    #expect(try await base.token(for: "c") == token("c"))
  }

  /// Every writer adds to a number in the record while the records are sealed again and again.
  @Test func otherCallersKeepWorkingMeanwhile() async throws {
    let base = InMemoryTokenStorage()
    let accounts = ["a", "b", "c"]
    for account in accounts { try await sealed(base, try oldRing()).write(token("0"), for: account) }
    let rings = [
      try SealingKeyRing([key("old", 1), key("new", 2)]), try SealingKeyRing([key("new", 2), key("old", 1)]),
    ]
    try await withThrowingTaskGroup { group in
      for ring in rings {
        group.addTask {
          for _ in 1...50 {
            let report = try await sealed(base, ring).reseal()
            #expect(report.failures.isEmpty)
          }
        }
        for account in accounts {
          group.addTask {
            for _ in 1...50 {
              try await sealed(base, ring).withExclusiveAccess(to: account) { slot in
                let number = Int(try await slot.read()?.accessToken.reveal() ?? "") ?? -1_000
                await Task.yield()
                try await slot.write(token("\(number + 1)"))
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for account in accounts {
      let last = try await sealed(base, ring()).read(account)
      #expect(last == token("100"))
    }
  }

  /// Another process seals the record between the plain read and the exclusive access.
  @Test func recordThatAnotherCallSealsMeanwhileIsNotWritten() async throws {
    let base = InMemoryTokenStorage()
    try await sealed(base, try oldRing()).write(full)
    let other = sealed(base, try ring())
    let storage = HookedStorage(base: base) {
      let report = try await other.reseal()
      #expect(report.resealed == 1)
    }
    let report = try await sealed(storage, try ring()).reseal()
    #expect(report.resealed == 0 && report.unchanged == 1)
    #expect(try await sealed(base, try newRing()).read() == full)
  }

  private struct HookedStorage: TokenStorage {
    let base: InMemoryTokenStorage
    let beforeAccess: @Sendable () async throws -> Void

    func token(for account: String) async throws -> StoredToken? { try await base.token(for: account) }

    func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      try await beforeAccess()
      return try await base.withExclusiveAccess(to: account, body)
    }

    func accounts() async throws -> [String] { try await base.accounts() }
  }

  @Test func cancelledCallThrowsAlsoIfNothingNeedsToBeWritten() async throws {
    let base = InMemoryTokenStorage()
    try await sealed(base, try newRing()).write(full)
    let storage = sealed(base, try ring())
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await storage.reseal()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func recordThatCannotBeWrittenIsReported() async throws {
    let faulty = FaultyTokenStorage()
    try await sealed(faulty, try oldRing()).write(full)
    faulty.failWrites(with: TokenStorageError(.unavailable, "The disk is full."))
    let report = try await sealed(faulty, try ring()).reseal()
    #expect(report.resealed == 0 && report.unchanged == 0)
    #expect(report.failures.map(\.error.message) == ["The disk is full."])
    faulty.failWrites(with: nil)
    #expect(try await sealed(faulty, try oldRing()).read() == full)
  }
}
