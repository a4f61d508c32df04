// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Synchronization
import Timekeeping
import TokenStore

/// A storage that is correct but for one defect.
final class DefectiveTokenStorage: TokenStorage, CustomStringConvertible {
  enum Defect: String, CaseIterable {
    case losesNanoseconds, mergesRecords, dropsEmptyScopes, shortensLongTokens, losesSealedForms
    case beginsWithARecord, slotsFindARecord, cannotRemoveTwice, keepsRemovedRecords, othersKeepRemovedRecords
    case cachesReads, writesAtTheNextRead, writesInParts, readsALaggingReplica, slotsReadALaggingReplica, readsGoBack
    case trialLeavesARecord, trialRemovesTheRecord, trialLeavesALockFile
    case describesTokens, describesTokensInTheSlot, describesTokensAfterwards
    case listsRemovedAccounts, listsAccountsOnce, listsReadAccounts, listsTwice, listsOwnAccounts
    case ignoresCase, normalizesNames, shortensNames, removesByPrefix, listsLowercaseNames
    case readsTheEmptyAccount, writesTheEmptyAccount, triesTheEmptyAccount
    case letsEverybodyIn, excludesPerObject, losesUpdates, hasOneLockForAll, returnsTheOtherAccountsRecord
    case losesWritesToOtherAccounts, readsWaitForAccess, commitsAtTheEnd, othersSeeWritesAtTheEnd
    case keepsTheLockAfterAnError, hidesErrors, swallowsErrors, removesTheRecordAfterAnError
    case slotsLiveOn, slotsLiveOnAfterAnError, slotsReadOn
    case waitersCannotLeave, waitersLeaveWithAnotherError, cancelledWaitersGetIn, cancelledWaitersTakeTheLockAlong
    case letsTheCancelledIn
    case writesHonourCancellation, cancelledWritesAreSkipped
  }

  /// The records, and what all storages for them share.
  final class Records: Sendable {
    let locks = KeyedLock<[UInt8]>()
    let tokens = Mutex<[[UInt8]: StoredToken]>([:])
    let everListed = Mutex<Set<[UInt8]>>([])
    let everRead = Mutex<Set<[UInt8]>>([])
    /// All records there have been, each with the storage that wrote it, which is not the first one's.
    let history = Mutex<[[UInt8]: [(token: StoredToken?, writer: ObjectIdentifier)]]>([:])
    /// The accounts to which a storage has access, and what their records were before.
    let held = Mutex<[[UInt8]: (holder: ObjectIdentifier, before: StoredToken?)]>([:])
    let previous = Mutex<[[UInt8]: StoredToken]>([:])
    let unwritten = Mutex<[[UInt8]: StoredToken?]>([:])
    /// The number of plain reads.
    let reads = Atomic(0)
  }

  let defect: Defect?
  let records: Records
  private let ownLocks = KeyedLock<[UInt8]>()
  private let cache = Mutex<[[UInt8]: StoredToken]>([:])

  init(_ defect: Defect? = nil, records: Records = Records()) {
    self.defect = defect
    self.records = records
    if defect == .beginsWithARecord {
      records.tokens.withLock { $0[Array("account".utf8)] = StoredToken(accessToken: Secret("")) }
    }
  }

  var description: String {
    guard defect == .describesTokens else { return "DefectiveTokenStorage" }
    return records.tokens.withLock { $0.values.map { $0.accessToken.reveal() }.joined() }
  }

  func token(for account: String) async throws -> StoredToken? {
    let key = try key(account, unlessFor: .readsTheEmptyAccount)
    let count = records.reads.add(1, ordering: .relaxed).newValue
    switch defect {
    case .readsWaitForAccess:
      return try await records.locks.withLock(for: key) { current(key) }
    case .cachesReads:
      return cache.withLock { cache in
        cache[key] = cache[key] ?? current(key)
        return cache[key]
      }
    case .readsALaggingReplica where count.isMultiple(of: 2):
      return records.previous.withLock { $0[key] } ?? current(key)
    case .othersKeepRemovedRecords where current(key) == nil:
      let before = records.history.withLock { $0[key]?.dropLast() } ?? []
      let isOwn = records.history.withLock { $0[key]?.last?.writer == ObjectIdentifier(self) }
      return isOwn ? nil : before.last { $0.token != nil }?.token
    case .othersSeeWritesAtTheEnd:
      guard let held = records.held.withLock({ $0[key] }), held.holder != ObjectIdentifier(self) else {
        return current(key)
      }
      return held.before
    case .readsGoBack where count.isMultiple(of: 2):
      // The tokens whose type is a number are those that one task reads while another writes.
      let numbered = records.history.withLock { ($0[key] ?? []).filter { Int($0.token?.tokenType ?? "") != nil } }
      return numbered.dropLast().last?.token ?? current(key)
    default:
      return current(key)
    }
  }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    let key = try key(account, unlessFor: .writesTheEmptyAccount)
    let turn = defect == .hasOneLockForAll ? [] : key
    let locks = defect == .excludesPerObject ? ownLocks : records.locks
    let slot = Slot(storage: self, key: key)
    let hasLock = try await enter(locks, turn)
    records.held.withLock { $0[key] = (ObjectIdentifier(self), current(key)) }
    defer { records.held.withLock { $0[key] = nil } }
    do {
      let result = try await body(slot)
      if defect == .commitsAtTheEnd { slot.commit() }
      if hasLock { locks.unlock(turn) }
      slot.end(with: nil)
      return result
    } catch {
      if hasLock, defect != .keepsTheLockAfterAnError { locks.unlock(turn) }
      slot.end(with: error)
      if defect == .removesTheRecordAfterAnError { records.tokens.withLock { $0[key] = nil } }
      if defect == .swallowsErrors, let nothing = () as? Result { return nothing }
      if defect == .hidesErrors { throw TokenStorageError(.unavailable, "The body failed.") }
      throw error
    }
  }

  /// Waits for the lock, and returns whether it has it.
  private func enter(_ locks: KeyedLock<[UInt8]>, _ turn: [UInt8]) async throws -> Bool {
    switch defect {
    case .letsEverybodyIn: return false
    case .waitersCannotLeave:
      try await Task { try await locks.lock(turn) }.value
      return true
    case .letsTheCancelledIn where Task.isCancelled: return false
    default: break
    }
    do {
      try await locks.lock(turn)
      return true
    } catch is CancellationError where defect == .cancelledWaitersGetIn {
      return false
    } catch is CancellationError where defect == .cancelledWaitersTakeTheLockAlong {
      // As if the waiter had left its place in the line, where the lock is then handed to.
      Task { try await locks.lock(turn) }
      throw CancellationError()
    } catch is CancellationError where defect == .waitersLeaveWithAnotherError {
      throw TokenStorageError(.unavailable, "The task was cancelled.")
    }
  }

  func checkWritable(_ account: String) async throws {
    guard !(defect == .triesTheEmptyAccount && account.isEmpty) else { return }
    try await withExclusiveAccess(to: account) { slot in
      let token = try await slot.read()
      switch defect {
      case .trialLeavesARecord: try await slot.write(token ?? StoredToken(accessToken: Secret("")))
      case .trialRemovesTheRecord: try await slot.write(nil)
      default: break
      }
    }
    if defect == .trialLeavesALockFile {
      _ = records.everRead.withLock { $0.insert(Array("\(account).lock".utf8)) }
    }
  }

  func accounts() async throws -> [String] {
    let written = records.tokens.withLock { Array($0.keys) }
    let keys: [[UInt8]]
    switch defect {
    case .listsRemovedAccounts: keys = records.everListed.withLock { Array($0) }
    case .listsAccountsOnce: keys = written.dropLast()
    case .listsTwice: keys = written + written
    case .listsOwnAccounts:
      let writers = records.history.withLock { $0.compactMapValues(\.last?.writer) }
      keys = written.filter { writers[$0] == ObjectIdentifier(self) }
    case .listsReadAccounts, .trialLeavesALockFile: keys = written + records.everRead.withLock { Array($0) }
    default: keys = written
    }
    let names = keys.map { String(decoding: $0, as: UTF8.self) }
    return defect == .listsLowercaseNames ? names.map { $0.lowercased() } : names
  }

  private func key(_ account: String, unlessFor allowing: Defect) throws -> [UInt8] {
    guard !account.isEmpty || defect == allowing else {
      throw TokenStorageError(.invalidAccount, "The account's name is empty.")
    }
    switch defect {
    case .ignoresCase: return Array(account.lowercased().utf8)
    case .normalizesNames: return Array(account.replacing("a\u{308}", with: "ä").utf8)
    case .shortensNames: return Array(account.utf8.prefix(127))
    default: return Array(account.utf8)
    }
  }

  fileprivate func current(_ key: [UInt8]) -> StoredToken? {
    records.tokens.withLock { tokens in
      defer { if let token = records.unwritten.withLock({ $0.removeValue(forKey: key) }) { tokens[key] = token } }
      return defect == .returnsTheOtherAccountsRecord
        ? tokens.first { $0.key != key }?.value ?? tokens[key] : tokens[key]
    }
  }

  /// Returns the token that is stored in place of a token.
  private func stored(_ token: StoredToken, _ key: [UInt8]) -> StoredToken {
    var token = token
    switch defect {
    case .losesNanoseconds:
      token.expiresAt = token.expiresAt.map { Timestamp(secondsSince1970: $0.secondsSince1970) }
    case .mergesRecords: token.refreshToken = token.refreshToken ?? current(key)?.refreshToken
    case .dropsEmptyScopes: token.scopes = token.scopes.filter { $0 != "" }
    case .shortensLongTokens: token.accessToken = Secret(String(token.accessToken.reveal().prefix(4_096)))
    case .losesSealedForms: token.sealed = nil
    default: break
    }
    return token
  }

  fileprivate func set(_ token: StoredToken?, _ key: [UInt8]) async throws {
    let token = token.map { stored($0, key) }
    switch defect {
    case .cannotRemoveTwice where token == nil && current(key) == nil:
      throw TokenStorageError(.unavailable, "There is none.")
    case .keepsRemovedRecords where token == nil: return
    case .removesByPrefix where token == nil:
      records.tokens.withLock { $0 = $0.filter { !key.starts(with: $0.key) } }
    case .writesHonourCancellation: try Task.checkCancellation()
    case .cancelledWritesAreSkipped where Task.isCancelled: return
    case .writesAtTheNextRead: return records.unwritten.withLock { $0[key] = .some(token) }
    case .writesInParts: await writePart(of: token, key)
    case .readsALaggingReplica: records.previous.withLock { $0[key] = current(key) }
    // As if another storage had written at the same time.
    case .losesUpdates where token?.accessToken.reveal() == "40": return
    case .losesWritesToOtherAccounts where records.held.withLock({ $0.count }) > 1: return
    default: break
    }
    records.tokens.withLock { $0[key] = token }
    records.history.withLock { $0[key, default: []].append((token, ObjectIdentifier(self))) }
    if defect == .readsGoBack { await waitForReads(3) }
    if token != nil { _ = records.everListed.withLock { $0.insert(key) } }
  }

  private func writePart(of token: StoredToken?, _ key: [UInt8]) async {
    guard var part = token, let old = current(key) else { return }
    part.refreshToken = old.refreshToken
    let first = part
    records.tokens.withLock { $0[key] = first }
    await waitForReads(2)
  }

  /// Another caller may read in between; if none does, the write goes on.
  private func waitForReads(_ count: Int) async {
    let before = records.reads.load(ordering: .relaxed)
    for _ in 1...100 where records.reads.load(ordering: .relaxed) < before + count { await Task.yield() }
  }

  private final class Slot: TokenSlot, CustomStringConvertible, CustomReflectable {
    private struct Ended { var reading = false, writing = false }

    let storage: DefectiveTokenStorage
    let key: [UInt8]
    private let ended = Mutex(Ended())
    private let uncommitted = Mutex<StoredToken??>(.none)

    init(storage: DefectiveTokenStorage, key: [UInt8]) {
      self.storage = storage
      self.key = key
    }

    var description: String {
      switch storage.defect {
      case .describesTokensInTheSlot where !ended.withLock(\.writing),
        .describesTokensAfterwards where ended.withLock(\.writing):
        "Slot with \(storage.current(key)?.accessToken.reveal() ?? "nothing")"
      default: "Slot"
      }
    }

    var customMirror: Mirror { Mirror(self, children: []) }

    func read() async throws -> StoredToken? {
      if ended.withLock(\.reading) { throw TokenStorageError(.unavailable, "Access has ended.") }
      if storage.defect == .listsReadAccounts { _ = storage.records.everRead.withLock { $0.insert(key) } }
      if let token = uncommitted.withLock({ $0 }) { return token }
      switch storage.defect {
      case .slotsFindARecord: return storage.current(key) ?? StoredToken(accessToken: Secret(""))
      case .slotsReadALaggingReplica:
        let history = storage.records.history.withLock { $0[key] } ?? []
        let isOwn = history.last?.writer == ObjectIdentifier(storage)
        return isOwn ? history.last?.token : history.dropLast().last?.token
      default: return storage.current(key)
      }
    }

    func write(_ token: StoredToken?) async throws {
      if ended.withLock(\.writing) { throw TokenStorageError(.unavailable, "Access has ended.") }
      if storage.defect == .commitsAtTheEnd { return uncommitted.withLock { $0 = .some(token) } }
      try await storage.set(token, key)
    }

    func commit() {
      guard let token = uncommitted.withLock({ $0 }) else { return }
      storage.records.tokens.withLock { $0[key] = token }
    }

    func end(with error: (any Error)?) {
      switch storage.defect {
      case .slotsLiveOn: break
      case .slotsLiveOnAfterAnError where error != nil: break
      case .slotsReadOn: ended.withLock { $0.writing = true }
      default: ended.withLock { $0 = Ended(reading: true, writing: true) }
      }
    }
  }
}
