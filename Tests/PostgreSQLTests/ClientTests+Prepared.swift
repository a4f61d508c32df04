// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import Testing

// Prepared statements.
extension ClientTests {
  @Test(arguments: [false, true])
  func frequentStatementIsPreparedOnceUnlessBehindAPooler(isBehindPooler: Bool) async throws {
    let client = try await makeClient {
      $0.maximumConnections = 1
      $0.isBehindTransactionPooler = isBehindPooler
    }
    for number in 1...3 {
      let row = try await client.query(prepared: "SELECT \(number) + 1 AS next").first
      #expect(try row?.integer("next") == Int64(number) + 1)
    }
    let texts = try await client.query("SELECT statement FROM pg_prepared_statements").map {
      try $0.string("statement")
    }
    #expect(texts == (isBehindPooler ? [] : ["SELECT $1 + 1 AS next"]))
  }

  @Test(
    arguments: [
      "DEALLOCATE ALL",  // the next session of an undetected pooler
      "ALTER TABLE prepared ALTER COLUMN value TYPE integer",  // a change of the result's columns
    ] as [SQLStatement])
  func refusedPreparedStatementIsSentUnprepared(change: SQLStatement) async throws {
    let client = try await makeClient { $0.maximumConnections = 1 }
    try await client.query("CREATE TABLE prepared AS SELECT 7::bigint AS value")
    for _ in 1...2 {
      #expect(try await client.query(prepared: "SELECT value FROM prepared").first?.integer("value") == 7)
      try await client.query(change)
    }
    #expect(try await client.query(prepared: "SELECT value FROM prepared").first?.integer("value") == 7)
  }

  @Test func statementIsPreparedAgainAfterAChangeOfItsTables() async throws {
    let client = try await makeClient { $0.maximumConnections = 1 }
    try await client.query("CREATE TABLE prepared AS SELECT 7::bigint AS value")
    try await client.query(prepared: "SELECT value FROM prepared")
    try await client.query("ALTER TABLE prepared ALTER COLUMN value TYPE integer")
    for _ in 1...2 { try await client.query(prepared: "SELECT value FROM prepared") }
    // The first one is outdated.
    #expect(try await client.query("SELECT FROM pg_prepared_statements").count == 2)
  }

  @Test func statementsWithOtherTypesOfParametersArePreparedSeparately() async throws {
    let client = try await makeClient { $0.maximumConnections = 1 }
    #expect(try await client.query(prepared: "SELECT \(7) AS value").first?.integer("value") == 7)
    #expect(try await client.query(prepared: "SELECT \(true) AS value").first?.boolean("value") == true)
  }

  @Test func connectionLostDuringAPreparationHasChangedNothing() async throws {
    let client = try await makeClient()
    try await client.query("CREATE TABLE items (id int)")
    let insertion = try await client.withTransaction { holder in
      try await holder.query("LOCK items")
      let insertion = Task { try await client.query(prepared: "INSERT INTO items VALUES (1)") }
      let end: SQLStatement = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()
        """
      while try await client.query(end).isEmpty {}
      return insertion
    }
    let error = try await #require(throws: PostgreSQLError.self) { try await insertion.value }
    #expect(error.code == .connectionLost && error.isRetryable && !error.isOutcomeUnknown)
  }

  @Test func refusedPreparationHasItsCode() async throws {
    let client = try await makeClient()
    let error = try await #require(throws: PostgreSQLError.self) {
      try await client.query(prepared: "SELECT * FROM missing")
    }
    #expect(error.sqlState == "42P01")
    #expect(!error.isOutcomeUnknown)
  }
}
