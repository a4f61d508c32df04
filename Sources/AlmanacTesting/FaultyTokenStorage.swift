// SPDX-License-Identifier: Apache-2.0

import Synchronization
public import TokenStore

/// A storage that fails on request, to simulate a full disk, a locked keychain or a damaged record.
///
/// ```swift
/// let storage = FaultyTokenStorage()
/// storage.failWrites(with: TokenStorageError(.unavailable, "The disk is full."))
/// …
/// storage.failWrites(with: nil)          // there is space again
/// ```
///
/// Without a fault, it conforms to `TokenStorage` completely.
public final class FaultyTokenStorage: TokenStorage {
  private enum Record { case damaged, setAside }

  private struct Faults {
    var read: TokenStorageError?
    var write: TokenStorageError?
    /// The damaged records, by the bytes of their account names.
    var records: [[UInt8]: Record] = [:]
  }

  private let base: any TokenStorage
  private let faults = Mutex(Faults())

  /// Creates a storage without faults.
  ///
  /// - Parameter base: The storage of the records.
  public init(_ base: some TokenStorage = InMemoryTokenStorage()) { self.base = base }

  /// Makes all reads fail from now on.
  ///
  /// - Parameter error: The error that reads throw, or `nil` to end the fault.
  public func failReads(with error: TokenStorageError?) { faults.withLock { $0.read = error } }

  /// Makes all writes fail from now on, without changing a record.
  ///
  /// A refresh or sign-in then fails before it sends a credential. To simulate a disk that fills up during the request,
  /// call this method in the transport's response.
  ///
  /// - Parameter error: The error that writes throw, or `nil` to end the fault.
  public func failWrites(with error: TokenStorageError?) { faults.withLock { $0.write = error } }

  /// Damages all current records.
  ///
  /// The next read of each throws `corrupted`. Afterwards, the record is missing, because it has been set aside.
  ///
  /// - Throws: `TokenStorageError`.
  public func damageRecords() async throws {
    let accounts = try await base.accounts()
    faults.withLock { faults in
      for account in accounts { faults.records[Array(account.utf8)] = .damaged }
    }
  }

  /// Returns the record of `account`, without waiting for exclusive access.
  ///
  /// - Throws: The current fault, or `TokenStorageError`.
  public func token(for account: String) async throws -> StoredToken? {
    guard try checkRead(account) else { return nil }
    return try await base.token(for: account)
  }

  /// Runs `body` with exclusive access to `account`.
  ///
  /// The slot's reads and writes throw the current fault.
  ///
  /// - Throws: `CancellationError`, `TokenStorageError`, or any error of `body`.
  public func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try await base.withExclusiveAccess(to: account) { try await body(Slot(base: $0, storage: self, account: account)) }
  }

  /// Checks whether a record of `account` can be written.
  ///
  /// - Throws: The current write fault, or `TokenStorageError`.
  public func checkWritable(_ account: String) async throws {
    try checkWrite()
    try await base.checkWritable(account)
  }

  /// Returns the accounts with a record, including damaged ones, in no particular order.
  ///
  /// - Throws: The current read fault, or `TokenStorageError`.
  public func accounts() async throws -> [String] {
    let setAside = try faults.withLock { faults in
      if let error = faults.read { throw error }
      return faults.records.filter { $0.value == .setAside }
    }
    return try await base.accounts().filter { setAside[Array($0.utf8)] == nil }
  }

  /// Returns whether the record can be read, or `false` if it has been set aside.
  private func checkRead(_ account: String) throws -> Bool {
    let key = Array(account.utf8)
    return try faults.withLock { faults in
      if let error = faults.read { throw error }
      switch faults.records[key] {
      case .damaged:
        faults.records[key] = .setAside
        throw TokenStorageError(.corrupted, "The record was damaged and has been set aside. Sign in again.")
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

    func prepareToSpend(_ intent: SpendingIntent) async throws -> ContinuousClock.Instant? {
      try storage.checkWrite()
      return try await base.prepareToSpend(intent)
    }

    func write(_ token: StoredToken?) async throws {
      try storage.checkWrite()
      try await base.write(token)
      storage.forgetDamage(to: account)
    }
  }
}

extension FaultyTokenStorage: CustomStringConvertible {
  /// The type's name, without accounts and tokens.
  public var description: String { "FaultyTokenStorage" }
}
