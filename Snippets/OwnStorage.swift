// SPDX-License-Identifier: Apache-2.0

// Store tokens in a database, and run the conformance kit against the storage. It runs unchanged. For a real database, replace
// `Database`; the storage stays the same.
import AlmanacTesting
import Foundation
import Synchronization
import TokenStore

/// A stand-in for a database that every instance of the program shares.
actor Database {
  // Keys are bytes: `String` compares two encodings of "é" as equal, but they name two accounts.
  private var rows: [[UInt8]: Data] = [:]
  private var damaged: [Data] = []
  /// The locks of the rows.
  ///
  /// With a real database, use a lease as `PostgreSQLTokenStorage` does: a lock of a row would hold a connection while the server responds.
  nonisolated let locks = KeyedLock<[UInt8]>()

  var keys: [[UInt8]] { Array(rows.keys) }

  func row(_ key: [UInt8]) -> Data? { rows[key] }

  func replace(_ key: [UInt8], with row: Data?) { rows[key] = row }

  /// Moves a row to another table, unless the row has been replaced.
  func setAside(_ key: [UInt8], _ row: Data) {
    guard rows[key] == row else { return }
    rows[key] = nil
    damaged.append(row)
  }
}

/// A token storage in a database.
///
/// Each account has a row with the documented JSON of `StoredToken`.
struct DatabaseTokenStorage: TokenStorage {
  let database: Database

  func token(for account: String) async throws -> StoredToken? { try await token(key(account)) }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    let key = try key(account)
    return try await database.locks.withLock(for: key) {
      let slot = DatabaseTokenSlot(storage: self, key: key)
      defer { slot.end() }
      return try await body(slot)
    }
  }

  func accounts() async throws -> [String] { await database.keys.map { String(decoding: $0, as: UTF8.self) } }

  private func key(_ account: String) throws -> [UInt8] {
    guard !account.isEmpty else {
      throw TokenStorageError(.invalidAccount, "The account's name is empty. Use another name.")
    }
    return Array(account.utf8)
  }

  fileprivate func token(_ key: [UInt8]) async throws -> StoredToken? {
    guard let row = await database.row(key) else { return nil }
    do {
      return try JSONDecoder().decode(StoredToken.self, from: row)
    } catch let error as TokenStorageError {
      throw error  // a newer release wrote the row: leave it unchanged
    } catch {
      await database.setAside(key, row)
      throw TokenStorageError(.corrupted, "The account's row was damaged and has been set aside. Sign in again.")
    }
  }
}

/// An account's row, valid until the exclusive access ends.
final class DatabaseTokenSlot: TokenSlot {
  private let storage: DatabaseTokenStorage
  private let key: [UInt8]
  private let hasEnded = Mutex(false)

  init(storage: DatabaseTokenStorage, key: [UInt8]) {
    self.storage = storage
    self.key = key
  }

  func end() { hasEnded.withLock { $0 = true } }

  func read() async throws -> StoredToken? {
    try checkAccess()
    return try await storage.token(key)
  }

  func write(_ token: StoredToken?) async throws {
    try checkAccess()
    await storage.database.replace(key, with: try token.map { try JSONEncoder().encode($0) })
  }

  private func checkAccess() throws {
    guard !hasEnded.withLock({ $0 }) else {
      throw TokenStorageError(.unavailable, "The slot was used after its exclusive access had ended.")
    }
  }
}

let kit = TokenStorageConformance {
  DatabaseTokenStorage(database: Database())
} reopen: {
  DatabaseTokenStorage(database: $0.database)  // another connection to the same rows
}
try await kit.run()
print("\(TokenStorageConformance.checks.count) promises are kept.")

// The kit does not test damaged rows. The storage's own tests do.
let database = Database()
await database.replace(Array("me".utf8), with: Data("{".utf8))
do {
  _ = try await DatabaseTokenStorage(database: database).token(for: "me")
} catch let error as TokenStorageError {
  print(error.code, error.message)
}
