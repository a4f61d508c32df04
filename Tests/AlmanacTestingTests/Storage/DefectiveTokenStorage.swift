// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Synchronization
import TokenStore

/// A storage that is correct but for one defect.
final class DefectiveTokenStorage: TokenStorage, CustomStringConvertible {
  enum Defect: String, CaseIterable {
    case mergesRecords, losesSealedForms, slotsFindARecord, trialRemovesTheRecord, keepsRemovedRecords, cachesReads
    case writesInParts, describesTokens, listsTwice, ignoresCase, readsTheEmptyAccount, excludesPerObject
    case hasOneLockForAll, readsWaitForAccess, keepsTheLockAfterAnError, slotsLiveOn, waitersCannotLeave
    case waitersLeaveWithAnotherError, writesHonourCancellation
    case losesPreparedResults, keepsEndedAccess, refusesLateWrites, replacesNewerRecords, spendsReplacedCredentials

    /// A part of what each check says that reports the defect, by the check's identifier.
    ///
    /// No other check may report it.
    var reports: [String: String] {
      switch self {
      case .mergesRecords: ["records.fields": "The slot read another record than it had written: no optional field."]
      case .losesSealedForms: ["records.sealed": "The slot read another record than it had written."]
      case .slotsFindARecord:
        [
          "records.none-at-first": "The slot found a record.", "records.removal": "A slot still finds it.",
          "shared.newer-record": "The slot reads another record.",
        ]
      case .trialRemovesTheRecord: ["records.check-writable": "The record was changed."]
      case .keepsRemovedRecords:
        [
          "records.removal": "A plain read still finds it.",
          "accounts.list": "A removed account is listed, or another is not.",
          "shared.newer-record": "The newer record was replaced.",
        ]
      case .cachesReads:
        [
          "records.fields": "A plain read found another record: a key that the tokens are bound to.",
          "records.shared": "A plain read found the previous record.",
          "records.read-during-write": "Not finished after",
          "cancellation.during-write": "The record is the old one.", "access.prepare": "The result is missing.",
          "shared.newer-record": "The newer record has changed.",
        ]
      case .writesInParts: ["records.read-during-write": "A read found a part of a record, or none."]
      case .describesTokens: ["records.descriptions": "The storage shows the token."]
      case .listsTwice:
        ["records.check-writable": "Another account is listed.", "accounts.list": "An account is listed twice."]
      case .ignoresCase: ["accounts.names": "\"a\" has another's record."]
      case .readsTheEmptyAccount: ["accounts.empty-name": "It can be read."]
      case .excludesPerObject:
        [
          "access.exclusive": " tasks had access at the same time.",
          "cancellation.while-waiting": "It got access while another task had it.",
        ]
      case .hasOneLockForAll:
        [
          "access.other-accounts":
            "Still waiting after 0.1 seconds for withExclusiveAccess(to: \"one\"), withExclusiveAccess(to: \"two\")."
        ]
      case .readsWaitForAccess:
        [
          "access.plain-reads":
            "Still waiting after 0.1 seconds for withExclusiveAccess(to: \"account\"), token(for: \"account\")."
        ]
      case .keepsTheLockAfterAnError:
        [
          "access.errors": "Still waiting after 0.1 seconds for withExclusiveAccess(to: \"account\").",
          "access.prepare": "Still waiting after 0.1 seconds for withExclusiveAccess(to: \"account\").",
        ]
      case .slotsLiveOn: ["access.slot-lifetime": "It can still write after its body has returned."]
      case .waitersCannotLeave:
        ["cancellation.while-waiting": "Still waiting after", "cancellation.before-access": "It got access."]
      case .waitersLeaveWithAnotherError:
        [
          "cancellation.while-waiting": "It threw TokenStorageError, not CancellationError.",
          "cancellation.before-access": "It threw TokenStorageError, not CancellationError.",
        ]
      case .writesHonourCancellation: ["cancellation.during-write": "CancellationError was thrown."]
      case .losesPreparedResults:
        [
          "access.prepare": "The result is missing.", "shared.late-write": "The late record is missing.",
          "shared.newer-record": "The newer record was replaced.",
        ]
      case .keepsEndedAccess:
        [
          "shared.free-account": "Still waiting after", "shared.newer-record": "Still waiting after",
          "shared.spent-credential": "Still waiting after",
        ]
      case .refusesLateWrites: ["shared.late-write": "An unexpected TokenStorageError was thrown."]
      case .replacesNewerRecords: ["shared.newer-record": "The newer record was replaced."]
      case .spendsReplacedCredentials: ["shared.spent-credential": "It can still be spent."]
      }
    }
  }

  /// The records, and what all storages for them share.
  final class Records: Sendable {
    let locks = KeyedLock<[UInt8]>()
    let tokens = Mutex<[[UInt8]: StoredToken]>([:])
    /// The number of plain reads.
    let reads = Atomic(0)
    /// Ends the exclusive accesses that have not ended.
    fileprivate let ends = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])
  }

  let defect: Defect?
  let records: Records
  private let ownLocks = KeyedLock<[UInt8]>()
  private let cache = Mutex<[[UInt8]: StoredToken]>([:])

  init(_ defect: Defect? = nil, records: Records = Records()) {
    self.defect = defect
    self.records = records
  }

  var description: String {
    guard defect == .describesTokens else { return "DefectiveTokenStorage" }
    return records.tokens.withLock { $0.values.map { $0.accessToken.reveal() }.joined() }
  }

  func token(for account: String) async throws -> StoredToken? {
    let key = try key(account, unlessFor: .readsTheEmptyAccount)
    records.reads.add(1, ordering: .relaxed)
    switch defect {
    case .readsWaitForAccess: return try await records.locks.withLock(for: key) { current(key) }
    case .cachesReads:
      return cache.withLock { cache in
        cache[key] = cache[key] ?? current(key)
        return cache[key]
      }
    default: return current(key)
    }
  }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    let key = try key(account)
    let turn = defect == .hasOneLockForAll ? [] : key
    let locks = defect == .excludesPerObject ? ownLocks : records.locks
    let slot = Slot(storage: self, key: key)
    try await enter(locks, turn)
    records.ends.withLock {
      $0[ObjectIdentifier(slot)] = {
        slot.loseAccess()
        locks.unlock(turn)
      }
    }
    func leave(unlocking: Bool) {
      slot.end()
      let hasAccess = records.ends.withLock { $0.removeValue(forKey: ObjectIdentifier(slot)) != nil }
      if hasAccess, unlocking { locks.unlock(turn) }
    }
    do {
      let result = try await body(slot)
      leave(unlocking: true)
      return result
    } catch {
      leave(unlocking: defect != .keepsTheLockAfterAnError)
      throw error
    }
  }

  /// Ends all exclusive access, as a lease ends.
  func endAccess() {
    guard defect != .keepsEndedAccess else { return }
    let ends = records.ends.withLock { ends in
      defer { ends = [:] }
      return Array(ends.values)
    }
    for end in ends { end() }
  }

  private func enter(_ locks: KeyedLock<[UInt8]>, _ turn: [UInt8]) async throws {
    if defect == .waitersCannotLeave { return try await Task { try await locks.lock(turn) }.value }
    do {
      try await locks.lock(turn)
    } catch is CancellationError where defect == .waitersLeaveWithAnotherError {
      throw TokenStorageError(.unavailable, "The task was cancelled.")
    }
  }

  func checkWritable(_ account: String) async throws {
    try await withExclusiveAccess(to: account) { slot in
      if defect == .trialRemovesTheRecord { try await slot.write(nil) }
    }
  }

  func accounts() async throws -> [String] {
    let names = records.tokens.withLock { $0.keys.map { String(decoding: $0, as: UTF8.self) } }
    return defect == .listsTwice ? names + names : names
  }

  private func key(_ account: String, unlessFor allowing: Defect? = nil) throws -> [UInt8] {
    guard !account.isEmpty || allowing != nil && defect == allowing else {
      throw TokenStorageError(.invalidAccount, "The account's name is empty.")
    }
    return Array((defect == .ignoresCase ? account.lowercased() : account).utf8)
  }

  fileprivate func current(_ key: [UInt8]) -> StoredToken? { records.tokens.withLock { $0[key] } }

  fileprivate func set(_ token: StoredToken?, _ key: [UInt8]) async throws {
    var token = token
    switch defect {
    case .mergesRecords where token?.refreshToken == nil: token?.refreshToken = current(key)?.refreshToken
    case .losesSealedForms: token?.sealed = nil
    case .keepsRemovedRecords where token == nil: return
    case .writesHonourCancellation: try Task.checkCancellation()
    case .writesInParts: await writePart(of: token, key)
    default: break
    }
    records.tokens.withLock { [token] in $0[key] = token }
  }

  private func writePart(of token: StoredToken?, _ key: [UInt8]) async {
    guard var part = token, let old = current(key) else { return }
    part.refreshToken = old.refreshToken
    records.tokens.withLock { [part] in $0[key] = part }
    // Another caller may read in between; if none does, the write goes on.
    let before = records.reads.load(ordering: .relaxed)
    for _ in 1...100 where records.reads.load(ordering: .relaxed) < before + 2 { await Task.yield() }
  }

  private final class Slot: TokenSlot, CustomStringConvertible, CustomReflectable {
    let description = "Slot"
    var customMirror: Mirror { Mirror(self, children: []) }
    let storage: DefectiveTokenStorage
    let key: [UInt8]
    private let isEnded = Mutex(false)
    private let state = Mutex(State())

    private struct State {
      var hasAccess = true
      var isPrepared = false
      var known: StoredToken?
    }

    init(storage: DefectiveTokenStorage, key: [UInt8]) {
      self.storage = storage
      self.key = key
    }

    func read() async throws -> StoredToken? {
      try checkAccess()
      state.withLock { $0.known = storage.current(key) }
      return storage.current(key)
        ?? (storage.defect == .slotsFindARecord ? StoredToken(accessToken: Secret("")) : nil)
    }

    func prepareToSpend(_ intent: SpendingIntent) async throws -> ContinuousClock.Instant? {
      try checkAccess()
      if storage.defect != .spendsReplacedCredentials { try checkKnown() }
      state.withLock { $0.isPrepared = true }
      return nil
    }

    func write(_ token: StoredToken?) async throws {
      try checkAccess()
      let state = state.withLock(\.self)
      if storage.defect == .refusesLateWrites, !state.hasAccess { throw Self.superseded }
      if storage.defect == .losesPreparedResults, state.isPrepared { return }
      if storage.defect != .replacesNewerRecords { try checkKnown() }
      try await storage.set(token, key)
    }

    private static let superseded = TokenStorageError(.superseded, "Another caller has replaced the record.")

    /// Checks that no other caller has replaced the record, if access was lost.
    private func checkKnown() throws {
      let state = state.withLock(\.self)
      guard state.hasAccess || storage.current(key) == state.known else { throw Self.superseded }
    }

    func loseAccess() { state.withLock { $0.hasAccess = false } }

    private func checkAccess() throws {
      if isEnded.withLock(\.self) { throw TokenStorageError(.unavailable, "Access has ended.") }
    }

    func end() { isEnded.withLock { $0 = storage.defect != .slotsLiveOn } }
  }
}
