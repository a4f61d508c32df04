// SPDX-License-Identifier: Apache-2.0

import TokenStorePostgreSQL

extension Command {
  static let tokensMigrateSchema = Command(
    name: "tokens migrate-schema",
    summary: "Create or update the tables of a storage in a database.",
    discussion: """
      The database is the one of DATABASE_URL or of libpq's variables, such as PGHOST. Run the command once for each
      database, as a role that may create tables. It changes nothing if the tables are current.
      """,
    options: [.storage]
  ) { context in
    guard let migrateSchema = context.opened.migrateSchema else {
      throw UsageError(
        "The storage \(context.storageName.rawValue) has no tables. Use --storage \(StorageName.postgresql.rawValue).",
        command: context.command)
    }
    let before = try await migrateSchema()
    let version = max(before, PostgreSQLTokenStorage.schemaVersion)
    if context.isJSON { return try context.writeJSON(["before": before, "version": version]) }
    context.terminal.line(
      before == version
        ? "The tables already have version \(version)." : "The tables now have version \(version).")
  }
}
