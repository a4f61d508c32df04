// SPDX-License-Identifier: Apache-2.0

/// The tables of a module, which later releases extend.
///
/// A version only adds to the schema, so releases before it continue to work.
package struct SchemaPart: Sendable {
  /// The name under which the database stores the version.
  private let name: String
  /// The statements of each version, in order.
  private let steps: [[SQLStatement]]

  /// Creates a part.
  package init(_ name: String, steps: [[SQLStatement]]) {
    self.name = name
    self.steps = steps
  }

  /// Creates the tables, or adds the parts not created by an earlier release.
  ///
  /// Several programs can call this method at the same time. If the database has this version or a later one, nothing is changed, and the
  /// role needs no privilege to create anything.
  ///
  /// - Returns: The version before the call, or 0 if there was none.
  /// - Throws: ``PostgreSQLError``, or `CancellationError`.
  package func migrate(_ database: PostgreSQLClient) async throws -> Int {
    if let version = try await version(in: database), version >= steps.count { return version }
    return try await database.withTransaction { transaction in
      // The lock is released with the transaction, so it also works behind a transaction pooler. The number is arbitrary.
      try await transaction.query("SELECT pg_advisory_xact_lock(7236837471125106785)")
      try await transaction.query(
        "CREATE TABLE IF NOT EXISTS almanac_schema (part text PRIMARY KEY, version bigint NOT NULL)")
      let row = try await transaction.query("SELECT version FROM almanac_schema WHERE part = \(name)").first
      let version = Int(try row?.integer("version") ?? 0)
      guard version >= 0 else {
        throw PostgreSQLError(
          .unexpectedResult,
          "The table almanac_schema has the version \(version) for \(name), which no release writes. Restore the table from a backup."
        )
      }
      for step in steps.dropFirst(version).joined() { try await transaction.query(step) }
      if version < steps.count {
        try await transaction.query(
          """
          INSERT INTO almanac_schema (part, version) VALUES (\(name), \(steps.count))
          ON CONFLICT (part) DO UPDATE SET version = EXCLUDED.version
          """)
      }
      return version
    }
  }

  /// The version in the database, or `nil` if there is none.
  private func version(in database: PostgreSQLClient) async throws -> Int? {
    do {
      let row = try await database.query("SELECT version FROM almanac_schema WHERE part = \(name)").first
      return try row?.integer("version").map(Int.init)
    } catch let error as PostgreSQLError where error.sqlState == "42P01" {
      return nil
    }
  }
}
