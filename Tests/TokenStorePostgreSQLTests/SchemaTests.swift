// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import PostgreSQLFixtures
import TestSupport
import Testing
import TokenStore
import TokenStorePostgreSQL

@Suite(.takesTurns, TemporaryCluster.isInstalled)
struct SchemaTests {
  private let string: String
  private let storage: PostgreSQLTokenStorage
  private let token = StoredToken(accessToken: Secret("access"), refreshToken: Secret("refresh"))

  init() async throws {
    string = try await TemporaryCluster.shared.makeDatabase()
    storage = PostgreSQLTokenStorage(PostgreSQLClient(try PostgreSQLConfiguration(string)))
  }

  @Test func programsThatMigrateAtTheSameTimeDoSoOnce() async throws {
    var configuration = try PostgreSQLConfiguration(string)
    // They wait for each other, on a busy machine for longer than the default.
    configuration.timeout = .seconds(600)
    let before = try await withThrowingTaskGroup(of: Int.self) { [configuration] group in
      for _ in 0..<8 {
        group.addTask { try await PostgreSQLTokenStorage(PostgreSQLClient(configuration)).migrateSchema() }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(before.filter { $0 == 0 }.count == 1)
    #expect(before.filter { $0 == PostgreSQLTokenStorage.schemaVersion }.count == 7)
    try await storage.withExclusiveAccess(to: "a") { try await $0.write(token) }
  }

  /// A later release may change the schema in this way while this one is running.
  @Test func schemaOfALaterReleaseIsUsedAndLeftUnchanged() async throws {
    try await storage.migrateSchema()
    try await storage.withExclusiveAccess(to: "a") { slot in
      try await storage.database.query("ALTER TABLE almanac_tokens ADD COLUMN later text NOT NULL DEFAULT 'x'")
      try await storage.database.query("UPDATE almanac_schema SET version = 2")
      try await slot.write(token)
    }
    #expect(try await storage.migrateSchema() == 2)
    #expect(try await storage.token(for: "a") == token)
    let row = try await storage.database.query("SELECT later FROM almanac_tokens").first
    #expect(try row?.string("later") == "x")
  }

  @Test func leastPrivilegesSuffice() async throws {
    try await storage.migrateSchema()
    let name = "role\(UInt32.random(in: 0...(.max)))"
    let database = String(try #require(string.split(separator: "=").last))
    let cluster = try await TemporaryCluster.shared
    try await cluster.sql("CREATE ROLE \(name) LOGIN", in: database)
    let limited = PostgreSQLTokenStorage(
      PostgreSQLClient(try PostgreSQLConfiguration(cluster.connectionString(database, user: name))))
    let error = try await #require(throws: TokenStorageError.self) { try await limited.checkWritable("a") }
    #expect(error.code == .unavailable)
    try await cluster.sql(
      """
      GRANT SELECT, INSERT, UPDATE, DELETE ON almanac_tokens TO \(name);
      GRANT INSERT ON almanac_damaged_tokens TO \(name);
      GRANT SELECT ON almanac_schema TO \(name)
      """, in: database)
    #expect(try await limited.migrateSchema() == PostgreSQLTokenStorage.schemaVersion)
    try await limited.checkWritable("a")
    try await limited.withExclusiveAccess(to: "a") { try await $0.write(token) }
    try await storage.database.query("UPDATE almanac_tokens SET record = '\\x00'")
    await #expect(throws: TokenStorageError.self) { try await limited.token(for: "a") }
    #expect(try await limited.token(for: "a") == nil)
    try await limited.withExclusiveAccess(to: "a") { try await $0.write(nil) }
    #expect(try await limited.accounts().isEmpty)
  }
}
