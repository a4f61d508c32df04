// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Keeps tokens in this process, for tests and for servers that sign in at every start.
///
/// Two storages are two sets of records; share one object to share the records.
public final class InMemoryTokenStorage: TokenStorage {
  // Keyed by the bytes: two strings that differ only in their Unicode spelling are two accounts.
  private let records: Mutex<[[UInt8]: StoredToken]>
  private let locks = KeyedLock<[UInt8]>()

  /// Creates a storage.
  ///
  /// - Parameter tokens: The records to begin with, by account.
  public init(_ tokens: [String: StoredToken] = [:]) {
    records = Mutex(Dictionary(uniqueKeysWithValues: tokens.map { (Array($0.key.utf8), $0.value) }))
  }

  /// Returns the record of `account`.
  ///
  /// - Throws: ``TokenStorageError`` with code ``TokenStorageError/Code/invalidAccount`` for the empty string.
  public func token(for account: String) async throws -> StoredToken? {
    let key = try Self.key(account)
    return records.withLock { $0[key] }
  }

  /// Runs `body` while no other task has access to `account`.
  ///
  /// Waiters are served in order of arrival.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits; ``TokenStorageError`` with code
  ///   ``TokenStorageError/Code/invalidAccount`` for the empty string; any error that `body` throws.
  public func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    let key = try Self.key(account)
    return try await locks.withLock(for: key) {
      let slot = Slot(storage: self, key: key)
      defer { slot.lease.end() }
      return try await body(slot)
    }
  }

  /// Checks the account's name: there is always memory for a record.
  ///
  /// - Throws: ``TokenStorageError`` with code ``TokenStorageError/Code/invalidAccount`` for the empty string.
  public func checkWritable(_ account: String) async throws { _ = try Self.key(account) }

  /// Returns the accounts that have a record, in no particular order.
  ///
  /// Never throws.
  public func accounts() async throws -> [String] {
    records.withLock { $0.keys.map { String(decoding: $0, as: UTF8.self) } }
  }

  private static func key(_ account: String) throws -> [UInt8] {
    guard !account.isEmpty else { throw TokenStorageError.emptyAccount }
    return Array(account.utf8)
  }

  private struct Slot: TokenSlot {
    let storage: InMemoryTokenStorage
    let key: [UInt8]
    let lease = SlotLease()

    func read() async throws -> StoredToken? {
      try lease.use { storage.records.withLock { $0[key] } }
    }

    func write(_ token: StoredToken?) async throws {
      try lease.use { storage.records.withLock { $0[key] = token } }
    }
  }
}

extension InMemoryTokenStorage: CustomStringConvertible {
  /// The type's name: no account, no token.
  public var description: String { "InMemoryTokenStorage" }
}
