// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import PostgreSQL
import PostgreSQLFixtures
import TestSupport
import Testing
import TokenStore
import TokenStorePostgreSQL
import TokenStoreSealed

extension PostgreSQLTokenStorage {
  /// Ends all leases and intents, as if their time had passed.
  func endLeases() async throws {
    try await database.query(
      "UPDATE almanac_tokens SET lease_until = clock_timestamp(), intent_until = clock_timestamp()")
  }
}

@Suite(.takesTurns, TemporaryCluster.isInstalled)
struct StorageTests {
  /// A storage in a new database, whose waits do not end because the machine is busy.
  private static func makeStorage() async throws -> PostgreSQLTokenStorage {
    let storage = try open(await TemporaryCluster.shared.makeDatabase())
    try await storage.migrateSchema()
    return storage
  }

  private static func open(_ string: String) throws -> PostgreSQLTokenStorage {
    PostgreSQLTokenStorage(PostgreSQLClient(try PostgreSQLConfiguration(string)), waitLimit: .seconds(3_600))
  }

  private static let token = StoredToken(accessToken: Secret("hidden-access"), refreshToken: Secret("hidden-refresh"))

  @Test(arguments: TokenStorageConformance.checks)
  func storageKeepsThePromise(_ check: TokenStorageConformance.Check) async throws {
    try await TokenStorageConformance(makeStorage: Self.makeStorage) {
      PostgreSQLTokenStorage(PostgreSQLClient($0.database.configuration), waitLimit: .seconds(3_600))
    } endAccess: {
      try await $0.endLeases()
    }.run(check)
  }

  @Test(arguments: TokenStorageConformance.checks)
  func sealedStorageKeepsThePromise(_ check: TokenStorageConformance.Check) async throws {
    let base = try await Self.makeStorage()
    let ring = try SealingKeyRing([SealingKey(identifier: "k", bytes: Array(0..<32))])
    try await TokenStorageConformance {
      SealedTokenStorage(wrapping: base, keys: ring, store: "tests")
    } reopen: { _ in
      let other = PostgreSQLTokenStorage(PostgreSQLClient(base.database.configuration), waitLimit: .seconds(3_600))
      return SealedTokenStorage(wrapping: other, keys: ring, store: "tests")
    } endAccess: { _ in
      try await base.endLeases()
    }.run(check)
  }

  @Test(TransactionPooler.isInstalled) func storageKeepsItsPromisesBehindAPoolerOfTransactions() async throws {
    let cluster = try await TemporaryCluster()
    let pooler = try await TransactionPooler(for: cluster)
    for check in TokenStorageConformance.checks {
      let database = try await cluster.makeDatabase()
      let name = try #require(database.split(separator: "=").last)
      let string = pooler.connectionString(String(name))
      try await TokenStorageConformance {
        let storage = try Self.open(string)
        try await storage.migrateSchema()
        try await storage.withExclusiveAccess(to: "a") { _ in }
        return storage
      } reopen: { _ in
        try Self.open(string)
      }.run(check)
    }
    await pooler.stop()
  }

  @Test func noConnectionIsHeldDuringExclusiveAccess() async throws {
    var configuration = try await Self.makeStorage().database.configuration
    configuration.maximumConnections = 1
    let storage = PostgreSQLTokenStorage(PostgreSQLClient(configuration))
    try await storage.withExclusiveAccess(to: "a") { slot in
      _ = try await slot.read()
      _ = try await slot.prepareToSpend(SpendingIntent(credentialDigest: [1], requestLimit: .seconds(30)))
      // Meanwhile the provider responds.
      try await storage.database.query("SELECT 1")
      try await slot.write(Self.token)
    }
  }

  @Test func releaseWakesAWaiter() async throws {
    let storage = try await Self.makeStorage()
    let rows = storage.leasedRows
    guard case .acquired = try await rows.acquire("a", holder: "one", for: .seconds(60)) else {
      Issue.record("The free lease was not acquired.")
      return
    }
    _ = try await rows.acquire("a", holder: "two", for: .seconds(60))
    let listening: SQLStatement =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
    while try await storage.database.query(listening).isEmpty {}
    try await withThrowingTaskGroup { group in
      group.addTask { try await rows.waitForRelease(of: "a", for: .seconds(3_600)) }
      group.addTask {
        while !Task.isCancelled {
          guard case .acquired(let lease, _) = try await rows.acquire("a", holder: "one", for: .seconds(60)) else {
            return
          }
          try await rows.release("a", lease: lease)
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }

  /// A statement of the holder can reach the server after the one that releases the lease.
  @Test func lateStatementsDoNotTakeAReleasedLeaseAgain() async throws {
    let storage = try await Self.makeStorage()
    try await storage.withExclusiveAccess(to: "a") { try await $0.write(Self.token) }
    let rows = storage.leasedRows
    guard case .acquired(let lease, let row) = try await rows.acquire("a", holder: "one", for: .seconds(60)) else {
      Issue.record("The free lease was not acquired.")
      return
    }
    #expect(try await rows.renew("a", lease: lease, for: .seconds(60)))
    try await rows.release("a", lease: lease)
    #expect(try await !rows.renew("a", lease: lease, for: .seconds(60)))
    #expect(
      try await !rows.note(
        "a", lease: lease, version: row.version, credentialDigest: [1], reserving: 1, leaseTime: .seconds(60),
        requestEnd: .seconds(60)))
    guard case .acquired = try await rows.acquire("a", holder: "two", for: .seconds(60)) else {
      Issue.record("The account is still held.")
      return
    }
  }

  @Test func lateTokenDoesNotReturnAfterASignOut() async throws {
    let storage = try await Self.makeStorage()
    let rows = storage.leasedRows
    let version = try #require(try await rows.write("a", [1], replacing: 0))
    let late = try await storage.database.withTransaction { signOut in
      try await signOut.query("DELETE FROM almanac_tokens")
      let late = Task { try await rows.write("a", [2], replacing: version) }
      let waiting: SQLStatement = """
        SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
        """
      while try await storage.database.query(waiting).isEmpty {}
      return late
    }
    #expect(try await late.value == nil)
    #expect(try await rows.read("a") == LeasedRow())
  }

  /// The table is on a small disk, as in a tablespace of its own.
  @Test(.enabled("A disk can be made by root, on Linux.") { SmallDisk.canBeMade })
  func fullDatabaseSpendsNothing() async throws {
    let disk = try SmallDisk(owner: "postgres")
    let cluster = try await TemporaryCluster()
    let database = try await cluster.makeDatabase()
    let storage = try Self.open(database)
    try await storage.migrateSchema()
    try await cluster.sql("CREATE TABLESPACE small LOCATION '\(disk.path)'", in: "postgres")
    try await storage.database.query("ALTER TABLE almanac_tokens SET TABLESPACE small")
    for number in 0..<5 {
      try await storage.withExclusiveAccess(to: "a") { slot in
        _ = try await slot.read()
        disk.fill()
        let intent = SpendingIntent(credentialDigest: [UInt8(number)], requestLimit: .seconds(30))
        // The table needs more space each time, unless what was deleted has been vacuumed.
        let error = await #expect(throws: TokenStorageError.self) { try await slot.prepareToSpend(intent) }
        #expect(error?.code == .unavailable && error?.message.contains("disk") == true)
        disk.empty()
        _ = try await slot.prepareToSpend(intent)
        try await slot.write(Self.token)
      }
    }
    #expect(try await storage.token(for: "a") == Self.token)
    let rest = try await storage.database.query(
      "SELECT count(*) AS count FROM almanac_tokens WHERE reserved IS NOT NULL")
    #expect(try rest.first?.integer("count") == 0)
  }

  /// A standby that has lost the last commits would otherwise repeat the numbers of the primary.
  @Test func twoDatabasesInTheSameStateUseDifferentNumbers() async throws {
    var numbers: Set<Int64> = []
    for _ in 0..<2 {
      let rows = try await Self.makeStorage().leasedRows
      guard case .acquired(let lease, _) = try await rows.acquire("a", holder: "one", for: .seconds(60)) else {
        Issue.record("The free lease was not acquired.")
        return
      }
      let version = try #require(try await rows.write("a", [1], replacing: 0))
      numbers.formUnion([lease, version])
    }
    #expect(numbers.count == 4)
  }

  @Test func schemaWithANegativeVersionIsAnError() async throws {
    let storage = try await Self.makeStorage()
    try await storage.database.query("UPDATE almanac_schema SET version = -1")
    let error = await #expect(throws: TokenStorageError.self) { try await storage.migrateSchema() }
    #expect(error?.message.contains("version -1") == true)
  }

  /// The service would execute the function with its privileges.
  ///
  /// Before PostgreSQL 15, every role may create functions in the schema `public`.
  @Test func functionOfAnotherRoleIsNotCalled() async throws {
    let storage = try await Self.makeStorage()
    try await storage.database.query(
      "CREATE FUNCTION convert_to(text, text) RETURNS bytea LANGUAGE plpgsql AS 'BEGIN RAISE ''called''; END'")
    try await storage.withExclusiveAccess(to: "a") { slot in
      try await slot.write(Self.token)
      _ = try await slot.prepareToSpend(SpendingIntent(credentialDigest: [1], requestLimit: .seconds(30)))
      try await slot.write(Self.token)
    }
  }

  @Test func accountThatIsNotWrittenLeavesNoRow() async throws {
    let storage = try await Self.makeStorage()
    try await storage.withExclusiveAccess(to: "a") { slot in
      let token = try await slot.read()
      #expect(token == nil)
    }
    try await storage.checkWritable("b")
    try await storage.withExclusiveAccess(to: "c") { slot in
      try await slot.write(Self.token)
      try await slot.write(nil)
    }
    #expect(try await storage.database.query("SELECT account FROM almanac_tokens").isEmpty)
  }

  @Test func manyAccountsAreListed() async throws {
    let storage = try await Self.makeStorage()
    try await storage.database.query(
      """
      INSERT INTO almanac_tokens (account, record, version)
      SELECT convert_to('account ' || n, 'UTF8'), '\\x7b7d', n FROM generate_series(1, 2500) AS n
      """)
    let accounts = try await storage.accounts()
    #expect(Set(accounts) == Set((1...2500).map { "account \($0)" }))
  }

  @Test func damagedRecordIsSetAside() async throws {
    let storage = try await Self.makeStorage()
    try await storage.withExclusiveAccess(to: "a") { try await $0.write(Self.token) }
    try await storage.database.query("UPDATE almanac_tokens SET record = '\\x00ff'")
    let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "a") }
    #expect(error.code == .corrupted)
    #expect(error.message.contains("almanac_damaged_tokens"))
    let row = try await storage.database.query("SELECT record FROM almanac_damaged_tokens").first
    #expect(try row?.bytes("record") == [0, 0xFF])
    #expect(try await storage.token(for: "a") == nil)
    // Without a read, a write sets it aside too.
    try await storage.database.query("UPDATE almanac_tokens SET record = '\\x01'")
    try await storage.withExclusiveAccess(to: "a") { try await $0.write(Self.token) }
    #expect(try await storage.token(for: "a") == Self.token)
    #expect(try await storage.database.query("SELECT FROM almanac_damaged_tokens").count == 2)
  }

  @Test func recordOfANewerReleaseIsLeftUnchanged() async throws {
    let storage = try await Self.makeStorage()
    try await storage.withExclusiveAccess(to: "a") { try await $0.write(Self.token) }
    let newer = Array(#"{"version":99}"#.utf8)
    try await storage.database.query("UPDATE almanac_tokens SET record = \(newer)")
    let reading = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "a") }
    let writing = try await #require(throws: TokenStorageError.self) {
      try await storage.withExclusiveAccess(to: "a") { try await $0.write(Self.token) }
    }
    #expect([reading.code, writing.code] == [.newerFormat, .newerFormat])
    #expect(try await storage.database.query("SELECT record FROM almanac_tokens").first?.bytes("record") == newer)
  }

  @Test func missingTablesAreAnErrorWithTheRemedy() async throws {
    let storage = try Self.open(await TemporaryCluster.shared.makeDatabase())
    let reading = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "a") }
    let checking = try await #require(throws: TokenStorageError.self) { try await storage.checkWritable("a") }
    for error in [reading, checking] {
      #expect(error.code == .schemaMissing)
      #expect(error.message.contains("migrateSchema"))
    }
  }

  @Test func messagesAndDescriptionsShowNoToken() async throws {
    let storage = try await Self.makeStorage()
    try await storage.database.query("ALTER TABLE almanac_tokens ADD CHECK (length(record) < 4)")
    let error = try await #require(throws: TokenStorageError.self) {
      try await storage.withExclusiveAccess(to: "a") { try await $0.write(Self.token) }
    }
    #expect(!"\(error) \(storage)".contains("hidden"))
  }

  @Test func intentReachesTheDatabaseThroughASeal() async throws {
    let base = try await Self.makeStorage()
    let ring = try SealingKeyRing([SealingKey(identifier: "k", bytes: Array(0..<32))])
    let sealed = SealedTokenStorage(wrapping: base, keys: ring, store: "tests")
    try await sealed.withExclusiveAccess(to: "a") { try await $0.write(Self.token) }
    try await sealed.withExclusiveAccess(to: "a") { slot in
      let token = try await slot.read()
      #expect(token == Self.token)
      let intent = SpendingIntent(credentialDigest: [1, 2], requestLimit: .seconds(30))
      let deadline = try await slot.prepareToSpend(intent)
      #expect(deadline != nil)
      let digest = try await base.database.query("SELECT intent FROM almanac_tokens").first?.bytes("intent")
      #expect(digest == [1, 2])
      // Another machine replaces the record.
      try await base.database.query(
        "UPDATE almanac_tokens SET version = 1, record = NULL")
      let error = await #expect(throws: TokenStorageError.self) { try await slot.write(Self.token) }
      #expect(error?.code == .superseded)
    }
    try await sealed.withExclusiveAccess(to: "a") { try await $0.write(Self.token) }
    // A reader without the key changes nothing.
    let error = await #expect(throws: TokenStorageError.self) { try await base.token(for: "a") }
    #expect(error?.code == .sealed)
    let writing = await #expect(throws: TokenStorageError.self) {
      try await base.withExclusiveAccess(to: "a") { try await $0.write(Self.token) }
    }
    #expect(writing?.code == .sealed)
    let kept = try await sealed.token(for: "a")
    #expect(kept == Self.token)
  }

  @Test func noDumpFileOrLogContainsASealedToken() async throws {
    let cluster = try await TemporaryCluster.shared
    let programs = try #require(TemporaryCluster.programs)
    let string = try await cluster.makeDatabase()
    let name = String(try #require(string.split(separator: "=").last))
    // The log of the server then contains each statement with its parameters.
    try await cluster.sql("ALTER DATABASE \(name) SET log_statement = 'all'", in: "postgres")
    let base = try Self.open(string)
    try await base.migrateSchema()
    let ring = try SealingKeyRing([SealingKey(identifier: "k", bytes: Array(0..<32))])
    let sealed = SealedTokenStorage(wrapping: base, keys: ring, store: "tests")
    // Of the tokens in the shared cluster, only these contain the texts.
    let (secret, unsealed) = (UUID().uuidString, UUID().uuidString)
    @Sendable func token(_ text: String) -> StoredToken {
      StoredToken(accessToken: Secret("access-\(text)"), refreshToken: Secret("refresh-\(text)"))
    }
    try await base.withExclusiveAccess(to: "b") { try await $0.write(token(unsealed)) }
    for _ in 0..<2 { try await sealed.withExclusiveAccess(to: "a") { try await $0.write(token(secret)) } }
    #expect(try await sealed.token(for: "a") == token(secret))
    // The log also contains the rows that the server refuses.
    try await base.database.query("ALTER TABLE almanac_tokens ADD CHECK (length(record) < 4) NOT VALID")
    let error = await #expect(throws: TokenStorageError.self) {
      try await sealed.withExclusiveAccess(to: "a") { try await $0.write(token(secret)) }
    }
    #expect(try !"\(#require(error)) \(sealed) \(base.database.configuration)".contains(secret))
    // Without a time limit: the server synchronizes the files of all tests' databases.
    try await cluster.sql("CHECKPOINT", in: "postgres")
    let dump = try ChildProcess(
      executable: URL(filePath: "\(programs)/pg_dump"), ["-d", string, "-f", "\(cluster.folder)/dump"])
    #expect(await dump.exitStatus() == 0)
    /// The files of the server that contain a text, as it is or in hexadecimal digits.
    func files(with text: String) async throws -> [String] {
      let digits = text.utf8.map { String($0, radix: 16) }.joined()
      let search = try ChildProcess(
        executable: URL(filePath: "/usr/bin/grep"), ["-rlasF", "-e", text, "-e", digits, cluster.folder])
      return await search.lines.reduce(into: []) { $0.append($1) }
    }
    #expect(try await files(with: secret) == [])
    // The search finds an unsealed token in the dump, the log, the table and the write-ahead log.
    let found = try await files(with: unsealed)
    for part in ["/dump", "/log", "/base/", "/pg_wal/"] { #expect(found.contains { $0.contains(part) }, "\(found)") }
  }
}
