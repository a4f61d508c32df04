// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Synchronization
import Timekeeping
import TokenStore

/// A storage that breaks one promise.
final class BrokenTokenStorage: TokenStorage, CustomStringConvertible {
  enum Fault: CaseIterable {
    case losesNanoseconds, beginsWithARecord, cannotRemoveTwice, cachesReads, writesInParts, checksLeaveARecord
    case describesTokens
    case listsRemovedAccounts, ignoresCase, acceptsTheEmptyAccount
    case letsEverybodyIn, hasOneLockForAll, readsWaitForAccess, keepsTheLockAfterAnError, slotsLiveOn
    case waitersCannotLeave, letsTheCancelledIn, writesHonourCancellation

    /// Whether it shows as a wait without end.
    var hangs: Bool {
      [.hasOneLockForAll, .readsWaitForAccess, .keepsTheLockAfterAnError, .waitersCannotLeave]
        .contains(self)
    }

    /// How the promise begins that the fault breaks.
    var promise: String {
      switch self {
      case .losesNanoseconds: "A record comes back"
      case .beginsWithARecord: "There is no record before"
      case .cannotRemoveTwice: "A removed record is gone"
      case .cachesReads: "What one storage wrote"
      case .writesInParts: "A read during a write"
      case .checksLeaveARecord: "A check whether"
      case .describesTokens: "No description"
      case .listsRemovedAccounts: "Accounts are listed"
      case .ignoresCase: "Accounts whose names differ"
      case .acceptsTheEmptyAccount: "The empty string"
      case .letsEverybodyIn: "One at a time"
      case .hasOneLockForAll: "Access to one account"
      case .readsWaitForAccess: "A plain read does not wait"
      case .keepsTheLockAfterAnError: "A body that throws"
      case .slotsLiveOn: "A slot is refused"
      case .waitersCannotLeave: "A waiter that is cancelled"
      case .letsTheCancelledIn: "A task that is cancelled already"
      case .writesHonourCancellation: "A write is carried through"
      }
    }
  }

  /// What all storages for the same records share.
  final class Records: Sendable {
    let locks = KeyedLock<[UInt8]>()
    let tokens = Mutex<[[UInt8]: StoredToken]>([:])
    let everListed = Mutex<Set<[UInt8]>>([])
    /// How many plain reads there were.
    let reads = Atomic(0)
  }

  let fault: Fault
  let records: Records
  private let cache = Mutex<[[UInt8]: StoredToken]>([:])

  init(_ fault: Fault, records: Records = Records()) {
    self.fault = fault
    self.records = records
    if fault == .beginsWithARecord {
      records.tokens.withLock { $0[Array("account".utf8)] = StoredToken(accessToken: Secret("")) }
    }
  }

  var description: String {
    guard fault == .describesTokens else { return "BrokenTokenStorage" }
    return records.tokens.withLock { $0.values.map { $0.accessToken.reveal() }.joined() }
  }

  func token(for account: String) async throws -> StoredToken? {
    let key = try key(account)
    defer { records.reads.add(1, ordering: .relaxed) }
    if fault == .readsWaitForAccess {
      try await records.locks.lock(key)
      defer { records.locks.unlock(key) }
      return current(key)
    }
    guard fault == .cachesReads else { return current(key) }
    return cache.withLock { cache in
      cache[key] = cache[key] ?? current(key)
      return cache[key]
    }
  }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    let key = try key(account)
    let turn = fault == .hasOneLockForAll ? [] : key
    let slot = Slot(storage: self, key: key)
    switch fault {
    case .letsEverybodyIn: return try await body(slot)
    case .waitersCannotLeave, .letsTheCancelledIn:
      let records = records
      try await Task { try await records.locks.lock(turn) }.value
    default: try await records.locks.lock(turn)
    }
    do {
      let result = try await body(slot)
      records.locks.unlock(turn)
      if fault != .slotsLiveOn { slot.isOver.withLock { $0 = true } }
      return result
    } catch {
      if fault != .keepsTheLockAfterAnError { records.locks.unlock(turn) }
      throw error
    }
  }

  func checkWritable(_ account: String) async throws {
    try await withExclusiveAccess(to: account) { slot in
      let token = try await slot.read()
      try await slot.write(token ?? (fault == .checksLeaveARecord ? StoredToken(accessToken: Secret("")) : nil))
    }
  }

  func accounts() async throws -> [String] {
    let keys =
      fault == .listsRemovedAccounts
      ? records.everListed.withLock { Array($0) } : records.tokens.withLock { Array($0.keys) }
    return keys.map { String(decoding: $0, as: UTF8.self) }
  }

  private func key(_ account: String) throws -> [UInt8] {
    guard !account.isEmpty || fault == .acceptsTheEmptyAccount else {
      throw TokenStorageError(.invalidAccount, "The account's name is empty.")
    }
    return Array((fault == .ignoresCase ? account.lowercased() : account).utf8)
  }

  fileprivate func current(_ key: [UInt8]) -> StoredToken? { records.tokens.withLock { $0[key] } }

  fileprivate func set(_ token: StoredToken?, _ key: [UInt8]) async throws {
    var token = token
    if fault == .cannotRemoveTwice, token == nil, current(key) == nil {
      throw TokenStorageError(.unavailable, "There is none.")
    }
    if fault == .losesNanoseconds, let expiry = token?.expiresAt {
      token?.expiresAt = Timestamp(secondsSince1970: expiry.secondsSince1970)
    }
    if fault == .writesHonourCancellation { try Task.checkCancellation() }
    if fault == .writesInParts, var part = token {
      part.refreshToken = current(key)?.refreshToken
      let first = part
      records.tokens.withLock { $0[key] = first }
      // Another caller may read in between; if none does, the write goes on.
      let before = records.reads.load(ordering: .relaxed)
      for _ in 1...10_000 where records.reads.load(ordering: .relaxed) < before + 2 { await Task.yield() }
    }
    let whole = token
    records.tokens.withLock { $0[key] = whole }
    if token != nil { _ = records.everListed.withLock { $0.insert(key) } }
  }

  private final class Slot: TokenSlot {
    let storage: BrokenTokenStorage
    let key: [UInt8]
    let isOver = Mutex(false)

    init(storage: BrokenTokenStorage, key: [UInt8]) {
      self.storage = storage
      self.key = key
    }

    func read() async throws -> StoredToken? {
      try check()
      return storage.current(key)
    }

    func write(_ token: StoredToken?) async throws {
      try check()
      try await storage.set(token, key)
    }

    private func check() throws {
      if isOver.withLock({ $0 }) { throw TokenStorageError(.unavailable, "Access has ended.") }
    }
  }
}
