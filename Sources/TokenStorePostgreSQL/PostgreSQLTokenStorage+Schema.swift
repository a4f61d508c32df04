// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import TokenStore

extension PostgreSQLTokenStorage {
  /// The version of the schema created and needed by this release.
  ///
  /// A release also works with the previous version, and with later versions, which only add to the schema.
  public static let schemaVersion = 1

  /// Creates the tables, or adds the parts not created by an earlier release.
  ///
  /// The tables are in the first schema of the role's `search_path`. Several programs can call this method at the same time. If the schema
  /// has this version or a later one, nothing is changed, and the role needs no privilege to create anything.
  ///
  /// - Returns: The version of the schema before the call, or 0 if there was none.
  /// - Throws: `TokenStorageError`, with code `unavailable` if the role may not create tables. Also
  ///   `CancellationError`.
  @discardableResult
  public func migrateSchema() async throws -> Int {
    do {
      return try await Self.schema.migrate(database)
    } catch let error as PostgreSQLError {
      throw TokenStorageError(error)
    }
  }

  private static let schema = SchemaPart(
    "tokens",
    steps: [
      [
        // A page keeps space for the new versions of its rows, and no index contains a column that changes.
        """
        CREATE TABLE almanac_tokens (
          account bytea PRIMARY KEY, record bytea, version bigint NOT NULL, changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
          lease_holder text, lease bigint, lease_until timestamptz,
          intent bytea, intent_lease bigint, intent_until timestamptz, reserved bytea
        ) WITH (fillfactor = 60)
        """,
        // Uncompressed, so that a note of an intent takes as much space as it reserves.
        "ALTER TABLE almanac_tokens ALTER COLUMN reserved SET STORAGE EXTERNAL",
        """
        CREATE TABLE almanac_damaged_tokens (
          account bytea NOT NULL, record bytea NOT NULL, set_aside_at timestamptz NOT NULL DEFAULT clock_timestamp()
        )
        """,
      ]
    ])
}
