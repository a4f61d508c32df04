// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Testing
import TokenStore

private func token(_ accessToken: String) -> StoredToken { StoredToken(accessToken: Secret(accessToken)) }

extension FaultyTokenStorage {
  fileprivate func write(_ token: StoredToken?, for account: String) async throws {
    try await withExclusiveAccess(to: account) { try await $0.write(token) }
  }
}

@Suite struct FaultyTokenStorageTests {
  private let storage = FaultyTokenStorage(InMemoryTokenStorage(["ana": token("1"), "ben": token("2")]))

  @Test(arguments: TokenStorageConformance.checks)
  func withoutAFaultItKeepsThePromise(_ check: TokenStorageConformance.Check) async throws {
    try await TokenStorageConformance { FaultyTokenStorage() }.run(check)
  }

  @Test func readsFailUntilTheFaultEnds() async throws {
    storage.failReads(with: TokenStorageError(.unavailable, "The keychain is locked."))
    for read in [
      { try await storage.token(for: "ana") },
      { try await storage.withExclusiveAccess(to: "ana") { try await $0.read() } },
    ] {
      let error = try await #require(throws: TokenStorageError.self) { try await read() }
      #expect(error.message == "The keychain is locked.")
    }
    await #expect(throws: TokenStorageError.self) { try await storage.accounts() }
    storage.failReads(with: nil)
    #expect(try await storage.token(for: "ana") == token("1"))
  }

  @Test func aWriteThatFailsChangesNothing() async throws {
    storage.failWrites(with: TokenStorageError(.unavailable, "The disk is full."))
    let error = try await #require(throws: TokenStorageError.self) { try await storage.write(token("3"), for: "ana") }
    #expect(error.message == "The disk is full.")
    await #expect(throws: TokenStorageError.self) { try await storage.checkWritable("ana") }
    #expect(try await storage.token(for: "ana") == token("1"))
    storage.failWrites(with: nil)
    try await storage.checkWritable("ana")
    try await storage.write(token("3"), for: "ana")
    #expect(try await storage.token(for: "ana") == token("3"))
  }

  @Test func aDamagedRecordIsReportedOnceAndThenGone() async throws {
    try await storage.damageRecords()
    #expect(Set(try await storage.accounts()) == ["ana", "ben"])
    let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "ana") }
    #expect(error.code == .corrupted)
    #expect(try await storage.token(for: "ana") == nil)
    #expect(try await storage.accounts() == ["ben"])
    let readSlot = { @Sendable [storage] in try await storage.withExclusiveAccess(to: "ben") { try await $0.read() } }
    let inSlot = try await #require(throws: TokenStorageError.self) { try await readSlot() }
    #expect(inSlot.code == .corrupted)
    #expect(try await readSlot() == nil)
    #expect(try await storage.token(for: "ben") == nil)

    try await storage.write(token("3"), for: "ana")
    #expect(try await storage.token(for: "ana") == token("3"))
    #expect(try await storage.accounts() == ["ana"])
  }

  @Test func recordsThatAreWrittenLaterAreWhole() async throws {
    try await storage.damageRecords()
    try await storage.write(token("4"), for: "carla")
    #expect(try await storage.token(for: "carla") == token("4"))
    try await storage.write(nil, for: "carla")
    try await storage.write(token("3"), for: "ana")
    try await storage.write(nil, for: "ben")
    #expect(try await storage.token(for: "ana") == token("3"))
    #expect(try await storage.token(for: "ben") == nil)
    #expect(try await storage.accounts() == ["ana"])
  }

  @Test func aWriteThatFailsLeavesADamagedRecordDamaged() async throws {
    try await storage.damageRecords()
    storage.failWrites(with: TokenStorageError(.unavailable, "The disk is full."))
    await #expect(throws: TokenStorageError.self) { try await storage.write(token("3"), for: "ana") }
    let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "ana") }
    #expect(error.code == .corrupted)
  }

  @Test func readsThatFailLeaveWritesAlone() async throws {
    storage.failReads(with: TokenStorageError(.unavailable, "The keychain is locked."))
    try await storage.write(token("3"), for: "ana")
    try await storage.checkWritable("ana")
    storage.failReads(with: nil)
    storage.failWrites(with: TokenStorageError(.unavailable, "The disk is full."))
    #expect(try await storage.token(for: "ana") == token("3"))
    #expect(Set(try await storage.accounts()) == ["ana", "ben"])
  }

  @Test func descriptionHasNoToken() { #expect("\(storage)" == "FaultyTokenStorage") }
}
