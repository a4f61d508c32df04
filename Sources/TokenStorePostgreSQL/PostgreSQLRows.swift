// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import TokenStore

/// The statements of the storage.
///
/// Each is one statement and one transaction, so they also work behind a transaction pooler. They name all columns, so
/// a later release can add some. Direct connections prepare them: each finds its rows by the key, whatever the values.
struct PostgreSQLRows: LeasedRows {
  let database: PostgreSQLClient
  let releases: ReleaseNotices

  init(_ database: PostgreSQLClient) {
    self.database = database
    releases = ReleaseNotices(database)
  }

  func read(_ account: String) async throws -> LeasedRow {
    let rows = try await query(
      """
      SELECT record, version, intent, intent_lease, intent_until - clock_timestamp() AS intent_remaining
      FROM almanac_tokens WHERE account = \(account.bytes)
      """)
    return try rows.first.map(LeasedRow.init) ?? LeasedRow()
  }

  func acquire(_ account: String, holder: String, for time: Duration) async throws -> LeaseAcquisition {
    let rows = try await query(
      """
      WITH lease AS (
        INSERT INTO almanac_tokens AS row (account, version, lease_holder, lease, lease_until)
        VALUES (\(account.bytes), 0, \(holder), \(newNumber), clock_timestamp() + \(time))
        ON CONFLICT (account) DO UPDATE SET
          lease_holder = EXCLUDED.lease_holder, lease = EXCLUDED.lease, lease_until = EXCLUDED.lease_until
        WHERE row.lease_until IS NULL OR row.lease_until <= clock_timestamp() OR row.lease_holder = EXCLUDED.lease_holder
        RETURNING record, version, intent, intent_lease, intent_until, lease
      )
      SELECT record, version, intent, intent_lease, intent_until - clock_timestamp() AS intent_remaining, lease,
        NULL::interval AS lease_remaining
      FROM lease
      UNION ALL
      SELECT NULL, 0, NULL, NULL, NULL, NULL, lease_until - clock_timestamp()
      FROM almanac_tokens WHERE account = \(account.bytes) AND NOT EXISTS (SELECT FROM lease)
      """)
    // Without a row, the lease has ended in the meantime.
    guard let row = rows.first else { return .held(remaining: .zero) }
    return try known {
      guard let lease = try row.integer("lease") else {
        releases.listen()
        return .held(remaining: max(.zero, try row.duration("lease_remaining") ?? .zero))
      }
      return .acquired(lease: lease, try LeasedRow(row))
    }
  }

  func renew(_ account: String, lease: Int64, for time: Duration) async throws -> Bool {
    try await query(
      """
      UPDATE almanac_tokens SET lease_until = greatest(lease_until, clock_timestamp() + \(time))
      WHERE account = \(account.bytes) AND lease = \(lease) AND lease_holder IS NOT NULL
      """
    ).affectedRowCount == 1
  }

  // With a constant that is no `name`, another role's function for two texts would be preferred to the server's `convert_to`.
  func note(
    _ account: String, lease: Int64, version: Int64, credentialDigest: [UInt8], reserving: Int, leaseTime: Duration,
    requestEnd: Duration
  ) async throws -> Bool {
    try await query(
      """
      UPDATE almanac_tokens SET
        lease_until = greatest(lease_until, clock_timestamp() + \(leaseTime)), intent = \(credentialDigest), intent_lease = lease,
        intent_until = clock_timestamp() + \(requestEnd), reserved = convert_to(repeat(' ', \(Int64(reserving))::integer), 'UTF8'::name)
      WHERE account = \(account.bytes) AND lease = \(lease) AND lease_holder IS NOT NULL AND version = \(version)
      """
    ).affectedRowCount == 1
  }

  func write(_ account: String, _ record: [UInt8]?, replacing version: Int64) async throws -> Int64? {
    // Removing a record does not end its lease. A row that does not exist has version 0. With any other version, no row is
    // inserted: a token written late must not bring back a record that a sign-out removed.
    let rows =
      if version == 0 {
        try await query(
          """
          INSERT INTO almanac_tokens AS row (account, record, version) VALUES (\(account.bytes), \(record), \(newNumber))
          ON CONFLICT (account) DO UPDATE SET
            record = EXCLUDED.record, version = EXCLUDED.version, changed_at = clock_timestamp(), intent = NULL,
            intent_lease = NULL, intent_until = NULL, reserved = NULL
          WHERE row.version = 0
          RETURNING version
          """)
      } else {
        try await query(
          """
          UPDATE almanac_tokens SET
            record = \(record), version = \(newNumber), changed_at = clock_timestamp(), intent = NULL, intent_lease = NULL,
            intent_until = NULL, reserved = NULL
          WHERE account = \(account.bytes) AND version = \(version)
          RETURNING version
          """)
      }
    return try known { try rows.first?.integer("version") }
  }

  func setAside(_ account: String, version: Int64) async throws -> String? {
    let rows = try await query(
      """
      WITH damaged AS (
        SELECT account, record FROM almanac_tokens
        WHERE account = \(account.bytes) AND version = \(version) AND record IS NOT NULL FOR UPDATE
      ), copy AS (
        INSERT INTO almanac_damaged_tokens (account, record) SELECT account, record FROM damaged
      )
      UPDATE almanac_tokens AS row SET record = NULL, version = \(newNumber)
      FROM damaged WHERE row.account = damaged.account AND row.version = \(version)
      """)
    return rows.affectedRowCount == 1 ? "the table almanac_damaged_tokens" : nil
  }

  func release(_ account: String, lease: Int64) async throws {
    try await query(
      """
      WITH freed AS (
        UPDATE almanac_tokens SET
          lease_holder = NULL, lease_until = NULL, reserved = NULL, intent = CASE WHEN intent_lease = lease THEN NULL ELSE intent END
        WHERE account = \(account.bytes) AND lease = \(lease) AND record IS NOT NULL RETURNING account
      ), removed AS (
        DELETE FROM almanac_tokens WHERE account = \(account.bytes) AND lease = \(lease) AND record IS NULL RETURNING account
      )
      SELECT pg_notify('almanac_tokens', \(ReleaseNotices.payload(for: account))) FROM (SELECT account FROM freed UNION ALL SELECT account FROM removed) AS ended
      """)
  }

  func waitForRelease(of account: String, for time: Duration) async throws {
    try await releases.wait(for: account, atMost: time)
  }

  func checkWritable(_ account: String) async throws {
    let rows = try await query(
      """
      SELECT has_table_privilege('almanac_tokens', 'SELECT') AND has_table_privilege('almanac_tokens', 'INSERT')
        AND has_table_privilege('almanac_tokens', 'UPDATE') AND has_table_privilege('almanac_tokens', 'DELETE')
        AS is_allowed,
        pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_standby
      """)
    try known {
      guard try rows.first?.boolean("is_standby") == false else {
        throw TokenStorageError(
          .unavailable,
          "The database accepts no writes: it is a standby or read-only. Connect to the primary, or turn default_transaction_read_only off."
        )
      }
      guard try rows.first?.boolean("is_allowed") == true else {
        throw TokenStorageError(
          .unavailable,
          "The database's role lacks privileges. Grant it SELECT, INSERT, UPDATE and DELETE on almanac_tokens."
        )
      }
    }
  }

  func accounts() async throws -> [String] {
    var accounts: [String] = []
    var last: [UInt8] = []
    while true {
      let rows = try await query(
        "SELECT account FROM almanac_tokens WHERE account > \(last) AND record IS NOT NULL ORDER BY account LIMIT 1000")
      guard !rows.isEmpty else { return accounts }
      try known {
        for row in rows {
          last = try row.bytes("account") ?? []
          accounts.append(String(decoding: last, as: UTF8.self))
        }
      }
    }
  }

  /// The number of a new version or lease.
  ///
  /// It is random, since a failover that loses commits can repeat the numbers of a sequence. A repeated number would let an old writer
  /// replace a record it has not read.
  private var newNumber: Int64 { .random(in: 1...(.max)) }

  func location(of account: String) -> String { "the account's row in the table almanac_tokens" }

  @discardableResult
  private func query(_ statement: SQLStatement) async throws -> SQLResult {
    do {
      return try await database.query(prepared: statement)
    } catch let error as PostgreSQLError {
      let shown = TokenStorageError(error)
      if error.isOutcomeUnknown { throw LeasedRowsError(shown) }
      throw shown
    }
  }

  private func known<Output>(_ body: () throws -> Output) throws -> Output {
    do { return try body() } catch let error as PostgreSQLError { throw TokenStorageError(error) }
  }
}

extension LeasedRow {
  fileprivate init(_ row: SQLRow) throws {
    do throws(PostgreSQLError) {
      self.init(record: try row.bytes("record"), version: try row.integer("version") ?? 0)
      if let digest = try row.bytes("intent"), let lease = try row.integer("intent_lease"),
        let remaining = try row.duration("intent_remaining")
      {
        intent = Intent(lease: lease, credentialDigest: digest, remaining: remaining)
      }
    } catch {
      throw TokenStorageError(error)
    }
  }
}

extension TokenStorageError {
  init(_ error: PostgreSQLError) {
    // A table or a column does not exist.
    let isOfSchema = ["42P01", "42703"].contains(error.sqlState)
    self.init(
      isOfSchema ? .schemaMissing : .unavailable,
      error.message + (isOfSchema ? " Create the tables with migrateSchema()." : ""))
  }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}
