// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import PostgreSQL

extension PostgreSQLCalendarStore {
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
  /// - Throws: `CalendarStoreError`, with code `unavailable` if the role may not create tables. Also
  ///   `CancellationError`.
  @discardableResult
  public func migrateSchema() async throws -> Int {
    do {
      return try await Self.schema.migrate(database)
    } catch let error as PostgreSQLError {
      throw CalendarStoreError(error)
    }
  }

  private static let schema = SchemaPart(
    "calendars",
    steps: [
      [
        """
        CREATE TABLE almanac_calendar_collections (
          number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account bytea NOT NULL, kind bigint NOT NULL, calendar bytea NOT NULL,
          state bytea NOT NULL, UNIQUE (account, kind, calendar)
        )
        """,
        """
        CREATE TABLE almanac_calendar_resources (
          collection bigint NOT NULL, id bytea NOT NULL, series bytea, span_start bigint, span_end bigint, is_long boolean,
          is_cancelled boolean, updated bigint, terms tsvector, full_pass bigint NOT NULL, json bytea NOT NULL,
          PRIMARY KEY (collection, id)
        )
        """,
        "CREATE INDEX ON almanac_calendar_resources (collection, series) WHERE series IS NOT NULL",
        "CREATE INDEX ON almanac_calendar_resources (collection, span_start, id) WHERE span_start IS NOT NULL",
        "CREATE INDEX ON almanac_calendar_resources (collection, span_end) WHERE is_long",
        "CREATE INDEX ON almanac_calendar_resources (collection, updated) WHERE updated IS NOT NULL",
        // With `fastupdate`, every query would also read a list of pending entries.
        "CREATE INDEX ON almanac_calendar_resources USING gin (terms) WITH (fastupdate = off) WHERE terms IS NOT NULL",
      ]
    ])
}
