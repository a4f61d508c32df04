// SPDX-License-Identifier: Apache-2.0

public import PostgreSQL
public import TokenStore

/// A token storage in a PostgreSQL database, for servers on several machines.
///
/// ```swift
/// let storage = PostgreSQLTokenStorage(PostgreSQLClient(try .environment()))
/// try await storage.migrateSchema()                          // once, as the tables' owner
/// let tokens = RefreshingTokenSource(client: client, storage: storage, account: account)
/// ```
///
/// - **One row per account.** Create one storage for each database and program, and share it, because waiting tasks queue in it.
/// - **Exclusive access covers every machine**, by a lease that the database's clock ends. The lease is renewed while
///   the body runs, and no connection is held meanwhile. The lease of an unreachable machine ends after 10 seconds. If
///   the machine has noted an intent, the lease ends 7 seconds after the time limit of the request.
/// - **No newer token is replaced.** Every write names the replaced version. A machine that was stopped, and has lost
///   its lease, can still store its received token, unless another machine has stored one.
/// - **A database without space spends nothing.** The note of the intent contains twice the record's size, at least 16
///   KiB, and is committed before the credential is sent. PostgreSQL does not reserve this space for the record. If
///   others fill the disk during the request, a refreshed token is kept in memory, and a sign-in fails.
/// - **A refreshed token that cannot be stored is kept**, and written again in the background. Call ``close()`` before the program ends.
/// - **A damaged record** is moved to the table `almanac_damaged_tokens`. A record of a newer release is left unchanged.
///
/// The records are not encrypted. Everyone who can read the table, a backup or a replica can use the tokens.
public final class PostgreSQLTokenStorage: TokenStorage {
  private let storage: LeasedTokenStorage
  private let rows: PostgreSQLRows

  /// The statements, which tests send in other orders than the storage.
  package var leasedRows: any LeasedRows { rows }

  /// The database.
  public var database: PostgreSQLClient { rows.database }

  /// Creates a storage.
  ///
  /// The client connects at the first use of the storage.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - waitLimit: The maximum wait for another machine with exclusive access. Defaults to one minute.
  public convenience init(_ database: PostgreSQLClient, waitLimit: Duration = .seconds(60)) {
    self.init(database, waitLimit: waitLimit, rules: LeaseRules())
  }

  /// Creates a storage with other times than the default ones.
  package init(_ database: PostgreSQLClient, waitLimit: Duration = .seconds(60), rules: LeaseRules) {
    rows = PostgreSQLRows(database)
    storage = LeasedTokenStorage(rows: rows, rules: rules, waitLimit: waitLimit)
  }

  deinit { rows.releases.stop() }

  /// Reads the record of `account`, without its lease.
  ///
  /// - Throws: `TokenStorageError`, or `CancellationError`.
  public func token(for account: String) async throws -> StoredToken? { try await storage.token(for: account) }

  /// Runs `body` while this machine has the lease of `account`, and no other task of the storage has access.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits. `TokenStorageError`, with code `busy` if
  ///   another machine has the lease for longer than the limit. Also any error of `body`.
  public func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try await storage.withExclusiveAccess(to: account, body)
  }

  /// Checks that the role may change the rows, and that the server accepts writes.
  ///
  /// - Throws: `TokenStorageError`, or `CancellationError`.
  public func checkWritable(_ account: String) async throws { try await storage.checkWritable(account) }

  /// Returns the accounts with a record, in no particular order.
  ///
  /// They are read in parts of a thousand, so an account added or removed meanwhile may be listed or not.
  ///
  /// - Throws: `TokenStorageError`, or `CancellationError`.
  public func accounts() async throws -> [String] { try await storage.accounts() }

  /// Writes the previously unstored tokens, and closes the connections.
  ///
  /// - Throws: `TokenStorageError` if the database still fails. The tokens are then lost when the program ends, and their users must sign
  ///   in again.
  public func close() async throws {
    defer {
      rows.releases.stop()
      database.close()
    }
    try await storage.writeUnwritten()
  }
}

extension PostgreSQLTokenStorage: CustomStringConvertible {
  /// The type's name, without accounts or tokens.
  public var description: String { "PostgreSQLTokenStorage" }
}
