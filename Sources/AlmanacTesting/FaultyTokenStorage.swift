// SPDX-License-Identifier: Apache-2.0

import Synchronization
public import TokenStore

/// A storage that fails when a test says so: a disk that is full, a keychain that is locked, a record that is damaged.
///
/// ```swift
/// let storage = FaultyTokenStorage()
/// storage.failWrites(with: TokenStorageError(.unavailable, "The disk is full."))
/// …
/// storage.failWrites(with: nil)          // there is space again
/// ```
///
/// As long as no fault is set it keeps the promise of `TokenStorage`.
public final class FaultyTokenStorage: TokenStorage {
  private enum Record { case damaged, setAside }

  private struct Faults {
    var read: TokenStorageError?
    var write: TokenStorageError?
    /// The records that are damaged, by the bytes of their accounts' names.
    var records: [[UInt8]: Record] = [:]
  }

  private let base: any TokenStorage
  private let faults = Mutex(Faults())

  /// Creates a storage without faults.
  ///
  /// - Parameter base: Where the records are.
  public init(_ base: some TokenStorage = InMemoryTokenStorage()) { self.base = base }

  /// Makes every read fail from now on.
  ///
  /// - Parameter error: What a read throws; `nil` ends the fault.
  public func failReads(with error: TokenStorageError?) { faults.withLock { $0.read = error } }

  /// Makes every write fail from now on, and change nothing.
  ///
  /// - Parameter error: What a write throws; `nil` ends the fault.
  public func failWrites(with error: TokenStorageError?) { faults.withLock { $0.write = error } }

  /// Damages the records that are there now: the next read of each throws `corrupted`, and afterwards there is none, as it was
  /// set aside.
  ///
  /// - Throws: `TokenStorageError`.
  public func damageRecords() async throws {
    let accounts = try await base.accounts()
    faults.withLock { faults in
      for account in accounts { faults.records[Array(account.utf8)] = .damaged }
    }
  }

  /// Returns the record of `account`, without waiting for the caller that has exclusive access.
  ///
  /// - Throws: The fault that is set; `TokenStorageError`.
  public func token(for account: String) async throws -> StoredToken? {
    guard try checkRead(account) else { return nil }
    return try await base.token(for: account)
  }

  /// Runs `body` while no other caller has exclusive access to `account`.
  ///
  /// The slot's reads and writes throw the fault that is set.
  ///
  /// - Throws: `CancellationError`, `TokenStorageError`; any error that `body` throws.
  public func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try await base.withExclusiveAccess(to: account) { try await body(Slot(base: $0, storage: self, account: account)) }
  }

  /// Checks whether a record of `account` could be written.
  ///
  /// - Throws: The fault of writes that is set; `TokenStorageError`.
  public func checkWritable(_ account: String) async throws {
    try checkWrite()
    try await base.checkWritable(account)
  }

  /// Returns the accounts that have a record, a damaged one included, in no particular order.
  ///
  /// - Throws: The fault that is set; `TokenStorageError`.
  public func accounts() async throws -> [String] {
    let setAside = try faults.withLock { faults in
      if let error = faults.read { throw error }
      return faults.records.filter { $0.value == .setAside }
    }
    return try await base.accounts().filter { setAside[Array($0.utf8)] == nil }
  }

  /// Returns whether the record can be read: `false` if there is none any more.
  private func checkRead(_ account: String) throws -> Bool {
    let key = Array(account.utf8)
    return try faults.withLock { faults in
      if let error = faults.read { throw error }
      switch faults.records[key] {
      case .damaged:
        faults.records[key] = .setAside
        throw TokenStorageError(.corrupted, "The record was damaged, and is set aside. Sign in again.")
      case .setAside: return false
      case nil: return true
      }
    }
  }

  private func checkWrite() throws {
    if let error = faults.withLock(\.write) { throw error }
  }

  private func forgetDamage(to account: String) { faults.withLock { $0.records[Array(account.utf8)] = nil } }

  private struct Slot: TokenSlot {
    let base: any TokenSlot
    let storage: FaultyTokenStorage
    let account: String

    func read() async throws -> StoredToken? {
      guard try storage.checkRead(account) else { return nil }
      return try await base.read()
    }

    func write(_ token: StoredToken?) async throws {
      try storage.checkWrite()
      try await base.write(token)
      storage.forgetDamage(to: account)
    }
  }
}

extension FaultyTokenStorage: CustomStringConvertible {
  /// The type's name: no account, no token.
  public var description: String { "FaultyTokenStorage" }
}
