// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// A storage in memory that calls closures before its operations.
struct ScriptedStorage: TokenStorage {
  let base = InMemoryTokenStorage()
  /// Called before exclusive access to an account.
  var willLock: @Sendable (String) -> Void = { _ in }
  /// Throws the error of a read of an account's record.
  var willRead: @Sendable (String) throws -> Void = { _ in }
  /// Returns the record to write in place of another one, or throws the error of the write.
  var willWrite: @Sendable (StoredToken?) throws -> StoredToken? = { $0 }

  func token(for account: String) async throws -> StoredToken? {
    try willRead(account)
    return try await base.token(for: account)
  }

  func accounts() async throws -> [String] { try await base.accounts() }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    willLock(account)
    return try await base.withExclusiveAccess(to: account) { try await body(Slot(base: $0, willWrite: willWrite)) }
  }

  private struct Slot: TokenSlot {
    let base: any TokenSlot
    let willWrite: @Sendable (StoredToken?) throws -> StoredToken?

    /// Ends when the task is cancelled, as in a file or a database.
    func read() async throws -> StoredToken? {
      try Task.checkCancellation()
      return try await base.read()
    }

    func write(_ token: StoredToken?) async throws { try await base.write(willWrite(token)) }
  }
}

extension TokenStorage {
  /// Writes a record, or removes it.
  func write(_ token: StoredToken?, to account: String) async throws {
    try await withExclusiveAccess(to: account) { try await $0.write(token) }
  }

  /// All records, by their names.
  var records: [String: StoredToken] {
    get async throws {
      var records: [String: StoredToken] = [:]
      for account in try await accounts() { records[account] = try await token(for: account) }
      return records
    }
  }
}
