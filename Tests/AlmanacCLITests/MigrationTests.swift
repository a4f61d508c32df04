// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import JSONCoding
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore
import TokenStoreSealed

/// `tokens migrate` between storages in memory.
@Suite(.takesTurns) struct MigrationTests {
  private static let work = RecordName(account: "work", clientID: "almanac").description
  private static let forward = ["tokens", "migrate", "--from", "file", "--to", "postgresql"]
  private static let back = ["tokens", "migrate", "--from", "postgresql", "--to", "file"]

  /// Returns a program whose user is signed in to the accounts `default` and `work`.
  private func harness(_ database: some TokenStorage, keyring: some TokenStorage = InMemoryTokenStorage()) async throws
    -> CommandHarness
  {
    let harness = try await CommandHarness(storages: [.postgresql: database, .keyring: keyring]).signIn()
    let other = await harness.run(CommandHarness.signIn(scope: "openid") + ["--account", "work"])
    try #require(other.status == .success)
    return harness
  }

  @Test func recordsOfOtherProgramsStay() async throws {
    let database = InMemoryTokenStorage()
    let harness = try await harness(database)
    let others = ["server", "default other-client", "user 17"]
    for name in others { try await harness.storage.write(StoredToken(accessToken: Secret("a")), to: name) }
    let result = try await harness.run(Self.forward + ["--json"]).json
    #expect(result["moved"] == 2 && result["others"] == 2)
    #expect(try await harness.storage.accounts().sorted() == others.sorted())
    // A named account has all of its clients.
    #expect(try await harness.run(Self.forward + ["--account", "default", "--json"]).json["moved"] == 1)
    #expect(try await harness.storage.accounts().sorted() == ["server", "user 17"])
  }

  @Test func unreadableSettingsMoveNothing() async throws {
    let database = InMemoryTokenStorage()
    let harness = try await harness(database)
    try Data("{".utf8).write(to: URL(filePath: harness.home + "/almanac/work.json"))
    let result = await harness.run(Self.forward)
    #expect(result.status == .storage && result.errors.contains("almanac/work.json cannot be read"))
    #expect(try await database.accounts().isEmpty)
  }

  @Test func recordIsTheSameAfterwardsAndCanBeUsed() async throws {
    let database = InMemoryTokenStorage()
    let harness = try await harness(database)
    let before = try await harness.storage.records
    let result = await harness.run(Self.forward)
    #expect(result.output.hasSuffix("From now on, set ALMANAC_STORAGE=postgresql.\n"))
    #expect(try await database.records == before)
    #expect(try await harness.storage.accounts().isEmpty)
    #expect(await harness.run("whoami", "--storage", "postgresql").status == .success)
    #expect(await harness.run(Self.back).status == .success)
    #expect(try await harness.storage.records.keys == before.keys)
    #expect(try await database.accounts().isEmpty)
  }

  // MARK: Conflicts

  @Test func differentRecordsOfOneAccountMoveNothing() async throws {
    let database = InMemoryTokenStorage()
    let harness = try await harness(database)
    var newer = try #require(try await harness.storage.token(for: Self.work))
    newer.accessToken = Secret("b")
    newer.issuedAt = newer.issuedAt.map { $0 + .seconds(1) }
    try await database.write(newer, to: Self.work)
    let before = try await harness.storage.records
    let result = await harness.run(Self.forward)
    #expect(result.status == .storage && result.output.isEmpty)
    let removal = ["revoke", "--local", "--storage", "file", "--account", "work", "--client-id", "almanac"]
    #expect(
      result.errors
        == "almanac: Nothing was moved: accounts have different tokens in both storages. Account \"work\": those in postgresql are newer. Run `almanac \(removal.joined(separator: " "))`. Then run the command again.\n"
    )
    #expect(await harness.run(Self.forward + ["--json"]).error?["code"] == "conflict")
    #expect(try await harness.storage.records == before)
    #expect(try await database.records == [Self.work: newer])
    // The advice removes this record, and no other.
    #expect(await harness.run(removal).status == .success)
    #expect(await harness.run(Self.forward).status == .success)
    #expect(try await database.records[Self.work] == newer)
    #expect(try await database.accounts().count == 2)
  }

  @Test func recordThatCannotBeOpenedInTheTargetIsAConflict() async throws {
    let database = InMemoryTokenStorage()
    let harness = try await harness(database)
    let keys = try SealingKeyRing(text: Secret("old:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"))
    try await SealedTokenStorage(wrapping: database, keys: keys, store: "almanac").write(
      StoredToken(accessToken: Secret("a")), to: Self.work)
    let result = await harness.run(Self.forward)
    #expect(result.status == .storage && result.errors.contains("Nothing was moved"))
    #expect(result.errors.contains("revoke --local --storage postgresql --account work --client-id almanac"))
    #expect(try await harness.storage.accounts().count == 2)
  }

  // MARK: Interruptions

  /// A killed command leaves each record in a storage, and the repeated command moves the rest.
  @Test func killAtAnyWriteLosesNoRecord() async throws {
    var (effects, isKilled) = (0, true)
    while isKilled {
      let database = InMemoryTokenStorage()
      let harness = try await harness(database)
      let before = try await harness.storage.records
      let kill = Kill(after: effects)
      _ = await harness.run(Self.forward, kill: kill)
      isKilled = kill.happened
      let left = try await harness.storage.records
      #expect(try await database.records.merging(left) { $1 } == before, "killed after \(effects) writes")
      let again = await harness.run(Self.forward)
      #expect(again.status == .success, "killed after \(effects) writes: \(again.errors)")
      #expect(try await database.records == before)
      #expect(try await harness.storage.accounts().isEmpty)
      effects += 1
    }
    // Two records, each of which is written and removed.
    #expect(effects == 5)
  }

  @Test func interruptionCompletesTheRecordAndMovesNoOther() async throws {
    let command = Mutex<Task<CommandHarness.Result, Never>?>(nil)
    let database = ScriptedStorage(willWrite: { token in
      command.withLock { $0?.cancel() }
      return token
    })
    let harness = try await harness(database)
    let gate = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in gate.stream { break }
      return await harness.run(Self.forward)
    }
    command.withLock { $0 = task }
    gate.continuation.yield()
    let result = await task.value
    #expect(result.status == .interrupted && result.output == "Moved      1\nFailed     0\nRemaining  1\n")
    #expect(try await database.accounts() == [CommandHarness.record])
    #expect(try await harness.storage.accounts() == [Self.work])
  }

  // MARK: Failures of a storage

  /// The first fault of the keyring ends the command: the next record would show the same prompt.
  @Test func dismissedPromptLeavesOneCopyAndIsNotRepeated() async throws {
    let prompts = Atomic(0)
    let keyring = ScriptedStorage(willWrite: { token in
      guard token == nil else { return token }
      prompts.add(1, ordering: .relaxed)
      throw TokenStorageError(.promptDismissed, "The prompt was dismissed.")
    })
    let database = InMemoryTokenStorage()
    let harness = try await harness(database, keyring: keyring)
    let toKeyring = ["tokens", "migrate", "--from", "file", "--to", "keyring"]
    #expect(await harness.run(toKeyring).status == .success)
    let result = await harness.run("tokens", "migrate", "--from", "keyring", "--to", "postgresql")
    #expect(result.status == .storage && result.errors == "almanac: The prompt was dismissed.\n")
    let count = prompts.load(ordering: .relaxed)
    #expect(count == 1)
    #expect(try await database.accounts().isEmpty)
    #expect(try await keyring.accounts().count == 2)
  }

  @Test(arguments: [TokenStorageError.Code.unavailable, .keyringLocked])
  func copyIsKeptUnlessTheOriginalIsCertainlyThere(_ code: TokenStorageError.Code) async throws {
    let database = ScriptedStorage(willWrite: { token in
      guard token == nil else { return token }
      throw TokenStorageError(code, "The connection was lost.")
    })
    let harness = try await harness(database)
    #expect(await harness.run(Self.forward).status == .success)
    let result = await harness.run(Self.back)
    #expect(result.status == .storage && result.errors.contains("may now be in both storages. Run the command again"))
    #expect(try await harness.storage.accounts() == [CommandHarness.record])
    #expect(try await database.accounts().count == 2)
  }

  /// Another machine can have refreshed the copy after the end of the lease.
  @Test func recordThatChangesInTheTargetRemovesNeitherCopy() async throws {
    let database = ScriptedStorage(willWrite: { token in
      var token = token
      token?.idToken = nil
      return token
    })
    let harness = try await harness(database)
    let before = try await harness.storage.records
    let result = await harness.run(Self.forward)
    #expect(result.status == .storage && result.errors.contains("may now be in both storages. Run the command again"))
    #expect(try await harness.storage.records == before)
    #expect(try await database.accounts() == [CommandHarness.record])
  }

  @Test func recordOfANewerReleaseStaysAndIsNamed() async throws {
    let isOfNewerRelease = Atomic(false)
    let database = ScriptedStorage(willRead: { account in
      guard isOfNewerRelease.load(ordering: .relaxed), account == Self.work else { return }
      throw TokenStorageError(.newerFormat, "The record was written by a newer release.")
    })
    let harness = try await harness(database)
    #expect(await harness.run(Self.forward).status == .success)
    isOfNewerRelease.store(true, ordering: .relaxed)
    let result = await harness.run(Self.back + ["--json"])
    #expect(result.status == .storage && result.error?["code"] == "newerFormat")
    #expect(try result.json["moved"] == 1 && result.json["failures"]?.array?.first?["account"] == .string(Self.work))
    #expect(try await database.accounts() == [Self.work])
    #expect(try await harness.storage.accounts() == [CommandHarness.record])
  }

  // MARK: Exclusive access

  @Test func storagesAreLockedInOneOrderInBothDirections() async throws {
    let order = Mutex<[String]>([])
    let keyring = ScriptedStorage(willLock: { _ in order.withLock { $0.append("keyring") } })
    let database = ScriptedStorage(willLock: { _ in order.withLock { $0.append("postgresql") } })
    let harness = try await harness(database, keyring: keyring)
    #expect(await harness.run("tokens", "migrate", "--from", "file", "--to", "keyring").status == .success)
    order.withLock { $0 = [] }
    #expect(await harness.run("tokens", "migrate", "--from", "keyring", "--to", "postgresql").status == .success)
    #expect(await harness.run("tokens", "migrate", "--from", "postgresql", "--to", "keyring").status == .success)
    let pair = ["keyring", "postgresql"]
    #expect(order.withLock(\.self) == pair + pair + pair + pair)
  }

  @Test func oppositeMigrationsLoseNoRecord() async throws {
    let database = InMemoryTokenStorage()
    let harness = try await harness(database)
    let before = try await harness.storage.records
    for _ in 1...20 {
      async let forward = harness.run(Self.forward)
      async let back = harness.run(Self.back)
      let results = await (forward, back)
      #expect(results.0.status == .success && results.1.status == .success)
      let (left, moved) = (try await harness.storage.records, try await database.records)
      #expect(left.merging(moved) { $1 } == before && left.count + moved.count == before.count)
    }
  }

  // MARK: Sealed records

  @Test func sealedRecordIsSealedAgainAndAnUnreadableOneStays() async throws {
    let old = "old:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
    let new = "new:ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8"
    let database = InMemoryTokenStorage()
    let harness = try await harness(database)
    let before = try await harness.storage.records
    #expect(await harness.run(["tokens", "seal"], environment: ["ALMANAC_SEALING_KEYS": old]).status == .success)
    // Nothing can be opened without the key.
    let closed = await harness.run(Self.forward + ["--json"])
    #expect(closed.status == .storage && closed.error?["code"] == "sealed")
    #expect(try closed.json["moved"] == 0 && closed.json["failures"]?.array?.count == 2)
    #expect(try await database.accounts().isEmpty)
    #expect(try await harness.storage.accounts().count == 2)

    // One record is sealed with a missing key.
    let otherKeys = try SealingKeyRing(text: Secret(new))
    try await harness.storage.write(nil, to: Self.work)
    try await SealedTokenStorage(wrapping: harness.storage, keys: otherKeys, store: "almanac").write(
      before[Self.work], to: Self.work)
    let result = await harness.run(Self.forward + ["--json"], environment: ["ALMANAC_SEALING_KEYS": old])
    #expect(result.status == .storage && result.error?["code"] == "unknownKey")
    #expect(try result.json["moved"] == 1)
    #expect(try await harness.storage.accounts() == [Self.work])
    let keys = try SealingKeyRing(text: Secret(old))
    let sealed = SealedTokenStorage(wrapping: database, keys: keys, store: "almanac")
    #expect(try await sealed.records == [CommandHarness.record: before[CommandHarness.record]])
    await #expect(throws: TokenStorageError.self) { try await database.token(for: CommandHarness.record) }
  }
}
