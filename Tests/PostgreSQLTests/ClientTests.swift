// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQL
import PostgreSQLFixtures
import TestSupport
import Testing

@Suite(.takesTurns, TemporaryCluster.isInstalled)
struct ClientTests {
  func makeClient(
    _ change: (inout PostgreSQLConfiguration) -> Void = { _ in }
  ) async throws -> PostgreSQLClient {
    var configuration = try PostgreSQLConfiguration(await TemporaryCluster.shared.makeDatabase())
    change(&configuration)
    return PostgreSQLClient(configuration)
  }

  @Test func valuesOfAllTypesReturnUnchanged() async throws {
    let client = try await makeClient()
    let bytes: [UInt8] = [0, 1, 0x5C, 0xFF]
    let rows = try await client.query(
      """
      SELECT \("é'\\")::text AS text, \(bytes) AS bytes, \(Int64.min) AS number, \(true) AS flag, \(nil as String?)::text AS nothing,
        \(Duration.milliseconds(-1_500)) AS span, 7::smallint AS small, interval '2 days' AS days
      """)
    let row = try #require(rows.first)
    #expect(try row.string("text") == "é'\\")
    #expect(try row.bytes("bytes") == bytes)
    #expect(try row.integer("number") == .min)
    #expect(try row.boolean("flag") == true)
    #expect(try row.string("nothing") == nil)
    #expect(try row.duration("span") == .milliseconds(-1_500))
    #expect(try row.integer("small") == 7)
    #expect(try row.duration("days") == .seconds(172_800))
    #expect(!"\(rows) \(row)".contains("é"))
  }

  @Test func arraysOfAllTypesReturnUnchanged() async throws {
    let client = try await makeClient()
    let bytes: [[UInt8]?] = [[], [0, 0x5C, 0xFF], nil]
    let numbers: [Int64?] = [.min, nil, .max]
    let flags: [Bool?] = [true, nil, false]
    let texts: [String?] = ["", "{\"a,'\\}é NULL", nil]
    let rows = try await client.query(
      """
      SELECT * FROM unnest(\(bytes), \(numbers), \(flags), \(texts)) WITH ORDINALITY AS rows (bytes, number, flag, text, place)
      ORDER BY place
      """)
    #expect(try rows.map { try $0.bytes("bytes") } == bytes)
    #expect(try rows.map { try $0.integer("number") } == numbers)
    #expect(try rows.map { try $0.boolean("flag") } == flags)
    #expect(try rows.map { try $0.string("text") } == texts)
    let none: [Int64?] = []
    #expect(try await client.query("SELECT cardinality(\(none)) AS count").first?.integer("count") == 0)
    #expect(try await client.query("SELECT 1 WHERE 7 = ANY (\(none))").isEmpty)
    #expect(try await client.query("SELECT 1 WHERE 7 = ANY (\([7, nil] as [Int64?]))").count == 1)
  }

  @Test func unexpectedColumnIsAnErrorWithItsName() async throws {
    let client = try await makeClient()
    let row = try #require(try await client.query("SELECT now() AS instant, 'x' AS word").first)
    for read in [
      { try row.string("instant") }, { try row.string("missing") },
      {
        _ = try row.integer("word"); return nil
      },
    ] {
      let error = try #require(throws: PostgreSQLError.self, performing: read)
      #expect(error.code == .unexpectedResult)
      #expect(["instant", "missing", "word"].contains { error.message.contains($0) })
    }
  }

  @Test func refusedStatementHasItsCodeAndNoValue() async throws {
    let client = try await makeClient()
    let error = try await #require(throws: PostgreSQLError.self) {
      try await client.query("SELECT \("hidden-word")::integer")
    }
    #expect(error.code == .statementFailed)
    #expect(error.sqlState == "22P02")
    #expect(!error.isOutcomeUnknown && !error.isRetryable)
    #expect(!"\(error)".contains("hidden-word"))
    #expect(!mirroredChildren(of: error).contains { $0.contains("hidden-word") })
    #expect(try await client.query("SELECT 1").count == 1)
  }

  @Test func textWithNULIsRefused() async throws {
    let client = try await makeClient()
    let error = try await #require(throws: PostgreSQLError.self) { try await client.query("SELECT \("a\u{0}b")::text") }
    #expect(error.sqlState == "22021")
  }

  /// The seconds of these durations do not fit into 64 bits, or the milliseconds do not.
  @Test(arguments: [.seconds(1e19), .seconds(Int64.max), .seconds(-1e19), .seconds(Int64.min)] as [Duration])
  func endlessDurationsAreLimited(_ duration: Duration) async throws {
    let client = try await makeClient {
      if duration > .zero { $0.timeout = duration }
      $0.idleTimeout = duration
    }
    for _ in 0..<2 {
      let row = try #require(try await client.query("SELECT \(duration) AS span").first)
      #expect(try row.duration("span") == .microseconds(duration > .zero ? Int64.max : .min))
    }
    if duration < .zero {
      let hasty = try await makeClient { $0.timeout = duration }
      await #expect(throws: PostgreSQLError.self) { try await hasty.query("SELECT 1") }
    }
  }

  @Test func clientWithoutIdleTimeUsesEachConnectionOnce() async throws {
    let client = try await makeClient { $0.idleTimeout = .zero }
    var processes: Set<Int64> = []
    for _ in 0..<3 {
      let row = try await client.query("SELECT pg_backend_pid()::bigint AS process").first
      processes.insert(try #require(try row?.integer("process")))
    }
    #expect(processes.count == 3)
  }

  @Test func poolIsBounded() async throws {
    let client = try await makeClient { $0.maximumConnections = 3 }
    try await withThrowingTaskGroup { group in
      for _ in 0..<60 { group.addTask { try await client.query("SELECT pg_sleep(0.01)") } }
      try await group.waitForAll()
    }
    let count = try await client.query(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
    )
    #expect(try count.first?.integer("n") == 3)
  }

  @Test func waiterForAConnectionTimesOut() async throws {
    let client = try await makeClient {
      $0.maximumConnections = 1
      $0.timeout = .milliseconds(400)
    }
    try await client.query("SELECT 1")
    async let slow = client.query("SELECT pg_sleep(0.3)")
    let results = await withTaskGroup(of: PostgreSQLError?.self) { group in
      for _ in 0..<4 {
        group.addTask {
          do { try await client.query("SELECT pg_sleep(0.3)"); return nil } catch { return error as? PostgreSQLError }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    _ = try? await slow
    #expect(results.contains { $0?.code == .timedOut && $0?.isOutcomeUnknown == false })
  }

  @Test func statementEndsAfterTheLimit() async throws {
    let client = try await makeClient { $0.timeout = .milliseconds(300) }
    let error = try await #require(throws: PostgreSQLError.self) { try await client.query("SELECT pg_sleep(3600)") }
    #expect(error.code == .timedOut)
  }

  @Test func serverEndsAnAbandonedStatementAfterTheLimit() async throws {
    let client = try await makeClient { $0.timeout = .seconds(1) }
    let observer = PostgreSQLClient(
      try PostgreSQLConfiguration(await TemporaryCluster.shared.connectionString("postgres")))
    let row = try #require(try await client.query("SELECT current_database()::text AS name").first)
    let name = try #require(try row.string("name"))
    let sleeping: SQLStatement =
      "SELECT FROM pg_stat_activity WHERE datname = \(name) AND state = 'active' AND query LIKE 'SELECT pg_sleep%'"
    let task = Task { try await client.query("SELECT pg_sleep(3600)") }
    while try await observer.query(sleeping).isEmpty {}
    task.cancel()
    _ = await task.result
    while try await !observer.query(sleeping).isEmpty {}
  }

  /// Every wait: for a server, for a connection of the pool, and for a response.
  @Test func noCallBlocksItsThread() async throws {
    let silent = try SilentServer()
    let busy = try await makeClient { $0.maximumConnections = 1 }
    let connecting = PostgreSQLClient(try PostgreSQLConfiguration("host=127.0.0.1 port=\(silent.port) dbname=tokens"))
    let executor = SerialTaskExecutor()
    let calls = [busy, busy, connecting].map { client in
      Task(executorPreference: executor) { try await client.query("SELECT pg_sleep(3600)") }
    }
    executor.drain()
    // A call that blocked its thread would have reached its time limit by now.
    for call in calls {
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
    }
  }

  @Test func cancelledCallReturnsAndLeavesThePoolUsable() async throws {
    let client = try await makeClient { $0.maximumConnections = 1 }
    try await client.query("SELECT 1")
    let task = Task { try await client.query("SELECT pg_sleep(60)") }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await client.query("SELECT 1").count == 1)
  }

  @Test func transactionIsAllOrNothing() async throws {
    let client = try await makeClient()
    try await client.query("CREATE TABLE numbers (n bigint)")
    try await client.withTransaction { transaction in
      try await transaction.query("INSERT INTO numbers VALUES (1)")
      try await transaction.query("INSERT INTO numbers VALUES (2)")
    }
    await #expect(throws: ClusterError.self) {
      try await client.withTransaction { transaction in
        try await transaction.query("INSERT INTO numbers VALUES (3)")
        throw ClusterError("stop")
      }
    }
    #expect(try await client.query("SELECT n FROM numbers").count == 2)
  }

  @Test func commitThatWasSentIsAwaitedDespiteACancellation() async throws {
    let client = try await makeClient()
    try await client.query("CREATE TABLE items (id int)")
    // The commit waits for a lock.
    try await client.query(
      "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END'"
    )
    try await client.query(
      "CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON items DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()"
    )
    let transaction = try await client.withTransaction { holder in
      try await holder.query("SELECT pg_advisory_xact_lock(1)")
      let transaction = Task { try await client.withTransaction { try await $0.query("INSERT INTO items VALUES (1)") } }
      let waiting: SQLStatement = """
        SELECT FROM pg_locks JOIN pg_database ON database = pg_database.oid
        WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
        """
      while try await client.query(waiting).isEmpty {}
      transaction.cancel()
      return transaction
    }
    _ = try await transaction.value
    #expect(try await client.query("SELECT FROM items").count == 1)
  }

  @Test func failedTransactionIsNotReportedAsCommitted() async throws {
    let client = try await makeClient()
    try await client.query("CREATE TABLE numbers (n bigint)")
    let error = try await #require(throws: PostgreSQLError.self) {
      try await client.withTransaction { transaction in
        try await transaction.query("INSERT INTO numbers VALUES (1)")
        _ = try? await transaction.query("SELECT 1/0")
      }
    }
    #expect(error.sqlState == "25P02")
    #expect(try await client.query("SELECT n FROM numbers").isEmpty)
  }

  @Test func endedTransactionRefusesStatements() async throws {
    let client = try await makeClient()
    let ended = try await client.withTransaction { $0 }
    let error = try await #require(throws: PostgreSQLError.self) { try await ended.query("SELECT 1") }
    #expect(error.code == .connectionLost && !error.isOutcomeUnknown)
  }

  @Test func lostConnectionHasAnUnknownOutcomeAndIsReplaced() async throws {
    let client = try await makeClient()
    let error = try await #require(throws: PostgreSQLError.self) {
      try await client.query("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(1)")
    }
    #expect(error.isOutcomeUnknown)
    #expect(try await client.query("SELECT 1").count == 1)
  }

  @Test func connectionThatTheServerClosedWhileIdleIsReplaced() async throws {
    let client = try await makeClient { $0.healthCheckInterval = .zero }
    let other = PostgreSQLClient(client.configuration)
    for _ in 0..<5 {
      let process = try #require(try await client.query("SELECT pg_backend_pid() AS pid").first?.integer("pid"))
      try await other.query("SELECT pg_terminate_backend(\(process)::integer)")
    }
    #expect(try await client.query("SELECT 1").count == 1)
  }

  @Test func notificationsArriveAndSurviveALostConnection() async throws {
    let client = try await makeClient()
    var events = client.notifications(on: "a \"channel\"").makeAsyncIterator()
    #expect(await events.next() == .listening)
    try await client.query("SELECT pg_notify('a \"channel\"', 'one')")
    #expect(await events.next() == .notification(payload: "one"))
    try await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
    )
    #expect(await events.next() == .listening)
    try await client.query("SELECT pg_notify('a \"channel\"', 'two')")
    #expect(await events.next() == .notification(payload: "two"))
  }

  @Test func closedClientRefusesCallsAndEndsItsStreams() async throws {
    let client = try await makeClient()
    var events = client.notifications(on: "channel").makeAsyncIterator()
    #expect(await events.next() == .listening)
    client.close()
    #expect(await events.next() == nil)
    let error = try await #require(throws: PostgreSQLError.self) { try await client.query("SELECT 1") }
    #expect(error.code == .closed)
  }

  @Test func cancelledCallIsNotCarriedOutAfterTheCheckOfItsConnection() async throws {
    // The client waits two seconds for the check: a slower attempt proves nothing.
    while try await cancelCallDuringCheck() >= .seconds(2) {}
  }

  /// Returns the time that a cancelled call had.
  private func cancelCallDuringCheck() async throws -> Duration {
    let client = try await makeClient {
      $0.healthCheckInterval = .zero
      $0.maximumConnections = 1
    }
    try await client.query("CREATE TABLE numbers (n bigint)")
    let row = try await client.query("SELECT pg_backend_pid()::bigint AS process").first
    let process = try #require(pid_t(exactly: try row?.integer("process") ?? 0))
    let begin = ContinuousClock.now
    // The check of the connection has no response until the process continues.
    #expect(kill(process, SIGSTOP) == 0)
    defer { kill(process, SIGCONT) }
    let executor = SerialTaskExecutor()
    let call = Task(executorPreference: executor) { try await client.query("INSERT INTO numbers VALUES (1)") }
    executor.drain()
    // The connection for notifications is one more. Once it is open, the check was sent.
    for await _ in client.notifications(on: "numbers") { break }
    call.cancel()
    let result = await call.result
    let duration = ContinuousClock.now - begin
    guard duration < .seconds(2) else { return duration }
    #expect(throws: CancellationError.self) { try result.get() }
    // A call that waited for the pool would be carried out before this one.
    #expect(try await client.query("SELECT FROM numbers").isEmpty)
    kill(process, SIGCONT)
    while try await !client.query("SELECT FROM pg_stat_activity WHERE pid = \(Int64(process))").isEmpty {}
    #expect(try await client.query("SELECT FROM numbers").isEmpty)
    return duration
  }

  @Test func callsEndWhenTheClientIsClosed() async throws {
    let client = try await makeClient { $0.healthCheckInterval = .zero }
    try await client.query("SELECT 1")
    let calls = (0..<20).map { _ in Task { try await client.query("SELECT pg_sleep(0.05)") } }
    try await Task.sleep(for: .milliseconds(20))
    client.close()
    for call in calls {
      guard case .failure(let error) = await call.result else { continue }
      #expect([.closed, .connectionLost].contains((error as? PostgreSQLError)?.code))
    }
  }
}
