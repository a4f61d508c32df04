// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A token storage in memory, for tests and for servers that sign in at every start.
///
/// Two storages have separate records. Share one object to share its records.
public final class InMemoryTokenStorage: TokenStorage {
  // Keyed by the bytes, because two strings that differ only in their Unicode spelling are two accounts.
  private let records: Mutex<[[UInt8]: StoredToken]>
  private let locks = KeyedLock<[UInt8]>()

  /// Creates a storage.
  ///
  /// - Parameter tokens: The initial records, by account.
  public init(_ tokens: [String: StoredToken] = [:]) {
    records = Mutex(Dictionary(uniqueKeysWithValues: tokens.map { (Array($0.key.utf8), $0.value) }))
  }

  /// Returns the record of `account`.
  ///
  /// - Throws: ``TokenStorageError`` with code ``TokenStorageError/Code/invalidAccount`` for the empty string, and with code
  ///   ``TokenStorageError/Code/sealed`` for a sealed record.
  public func token(for account: String) async throws -> StoredToken? {
    try read(Self.key(account))
  }

  /// Runs `body` while no other task has access to `account`.
  ///
  /// Waiters are served in order of arrival.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits. ``TokenStorageError`` with code
  ///   ``TokenStorageError/Code/invalidAccount`` for the empty string. Also any error of `body`.
  @concurrent public func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    let key = try Self.key(account)
    return try await locks.withLock(for: key) {
      let slot = Slot(storage: self, key: key)
      defer { slot.lease.end() }
      return try await body(slot)
    }
  }

  /// Checks the account's name, and that the record is not sealed.
  ///
  /// - Throws: ``TokenStorageError`` with code ``TokenStorageError/Code/invalidAccount`` for the empty string, and with code
  ///   ``TokenStorageError/Code/sealed`` for a sealed record.
  public func checkWritable(_ account: String) async throws { _ = try read(Self.key(account)) }

  /// Returns the accounts with a record, in no particular order.
  ///
  /// Never throws.
  public func accounts() async throws -> [String] {
    records.withLock { $0.keys.map { String(decoding: $0, as: UTF8.self) } }
  }

  private func read(_ key: [UInt8]) throws -> StoredToken? { try records.withLock { $0[key] }?.unsealed() }

  private static func key(_ account: String) throws -> [UInt8] {
    guard !account.isEmpty else { throw TokenStorageError.emptyAccount }
    return Array(account.utf8)
  }

  private struct Slot: TokenSlot {
    let storage: InMemoryTokenStorage
    let key: [UInt8]
    let lease = SlotLease()

    func read() async throws -> StoredToken? {
      try lease.use { try storage.read(key) }
    }

    func write(_ token: StoredToken?) async throws {
      try lease.use {
        try storage.records.withLock { records in
          // A sealed record is replaced only by its key's holder, or removed.
          if let token, token.sealed == nil { _ = try records[key]?.unsealed() }
          records[key] = token
        }
      }
    }
  }
}

extension InMemoryTokenStorage: CustomStringConvertible {
  /// The type's name, without accounts or tokens.
  public var description: String { "InMemoryTokenStorage" }
}
