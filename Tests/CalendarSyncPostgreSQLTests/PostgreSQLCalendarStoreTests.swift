// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import CalendarSync
import CalendarSyncPostgreSQL
import PostgreSQL
import PostgreSQLFixtures
import TestSupport
import Testing
import Timekeeping
import TokenStorePostgreSQL

private let collection = SyncCollection.events(calendarID: "calendar")

@Suite(.takesTurns, TemporaryCluster.isInstalled)
struct PostgreSQLCalendarStoreTests {
  /// A store in a new database.
  private static func makeStore() async throws -> PostgreSQLCalendarStore {
    var configuration = try PostgreSQLConfiguration(await TemporaryCluster.shared.makeDatabase())
    // On one core, a call can wait longer than ten seconds for its turn.
    configuration.timeout = .seconds(300)
    let store = PostgreSQLCalendarStore(PostgreSQLClient(configuration))
    try await store.migrateSchema()
    return store
  }

  private static func transaction(
    _ ids: [String], summary: String = "", after old: SyncState?, account: String = "me"
  ) -> SyncTransaction {
    let steps = ids.map { id in
      SyncTransaction.Step.put(
        .event(
          Event {
            $0.id = id
            $0.summary = summary
          }))
    }
    return SyncTransaction(
      account: account, collection: collection, expected: old,
      state: SyncState(query: "", fullPass: (old?.fullPass ?? 0) + 1), steps: steps)
  }

  @Test(arguments: CalendarStoreConformance.checks)
  func keepsThePromise(_ check: CalendarStoreConformance.Check) async throws {
    let kit = CalendarStoreConformance(makeStore: Self.makeStore) {
      PostgreSQLCalendarStore(PostgreSQLClient($0.database.configuration))
    }
    try await kit.run(check)
  }

  @Test func pageOfAnySizeIsOneTransaction() async throws {
    let store = try await Self.makeStore()
    let ids = (0..<1_003).map { "event\($0)" }
    #expect(try await store.apply(Self.transaction(ids, summary: "1", after: nil)).count == 1_003)
    let state = try await store.state(of: collection, for: "me")
    #expect(try await store.apply(Self.transaction(ids, summary: "2", after: state)).allSatisfy { $0.kind == .updated })
    let found = try await store.events(matching: EventQuery(text: "2"), for: "me").reduce(into: 0) { count, _ in
      count += 1
    }
    #expect(found == 1_003)
  }

  @Test func missingTablesAreNamedWithTheirRemedy() async throws {
    let string = try await TemporaryCluster.shared.makeDatabase()
    let store = PostgreSQLCalendarStore(PostgreSQLClient(try PostgreSQLConfiguration(string)))
    let error = try await #require(throws: CalendarStoreError.self) { try await store.collections(for: "me") }
    #expect(error.code == .unavailable)
    #expect(error.message.contains("migrateSchema()"))
  }

  @Test func schemaIsCreatedOnceBesideThatOfTheTokens() async throws {
    var configuration = try PostgreSQLConfiguration(await TemporaryCluster.shared.makeDatabase())
    // The last of the clients waits for all others, on a machine of any load.
    configuration.timeout = .seconds(300)
    let before = try await withThrowingTaskGroup(of: Int.self) { [configuration] group in
      for number in 0..<8 {
        group.addTask {
          let client = PostgreSQLClient(configuration)
          return number.isMultiple(of: 2)
            ? try await PostgreSQLCalendarStore(client).migrateSchema()
            : try await PostgreSQLTokenStorage(client).migrateSchema()
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(before.sorted() == [0, 0, 1, 1, 1, 1, 1, 1])
  }

  @Test func transactionOfALostConnectionIsAppliedAsAWholeOrNotAtAll() async throws {
    let store = try await Self.makeStore()
    let ids = (0..<2_000).map { "event\($0)" }
    try await store.apply(Self.transaction(ids, summary: "0", after: nil))
    let other = PostgreSQLClient(store.database.configuration)
    var (lost, numbers) = (0, SeededNumbers(seed: 1))
    for number in 1...12 {
      let state = try await store.state(of: collection, for: "me")
      let write = Task {
        try await store.apply(Self.transaction(ids, summary: "\(number)", after: state))
      }
      for _ in 0..<Int.random(in: 1...20, using: &numbers) {
        try await other.query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
          """)
      }
      do {
        _ = try await write.value
      } catch let error as CalendarStoreError {
        #expect(error.code == .unavailable)
        lost += 1
      }
      let summaries = try await store.events(in: "calendar", for: "me").reduce(into: Set<String>()) {
        summaries, event in
        summaries.insert(event.summary ?? "")
      }
      let stored = try await store.state(of: collection, for: "me")
      #expect(summaries.count == 1)
      #expect((stored == state) == (summaries != ["\(number)"]))
    }
    #expect(lost > 0)
  }

  @Test func machinesThatWriteTheSameCalendarTakeTurns() async throws {
    let store = try await Self.makeStore()
    try await store.apply(Self.transaction([], after: nil))
    let applied = try await withThrowingTaskGroup(of: Int.self) { group in
      for machine in 0..<4 {
        let own = PostgreSQLCalendarStore(PostgreSQLClient(store.database.configuration))
        group.addTask {
          var applied = 0
          while applied < 10 {
            do {
              let state = try await own.state(of: collection, for: "me")
              try await own.apply(Self.transaction(["\(machine)-\(applied)"], after: state))
              applied += 1
            } catch let error as CalendarStoreError where error.code == .superseded {
              try Task.checkCancellation()
            }
          }
          return applied
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(try await store.state(of: collection, for: "me")?.fullPass == applied + 1)
    #expect(try await store.resources(in: collection, for: "me", after: nil, limit: 1_000).count == applied)
  }

  @Test func accountsFindTheirOwnEventsOnly() async throws {
    let store = try await Self.makeStore()
    for number in 1...30 {
      try await store.apply(
        Self.transaction(["event\(number)"], summary: "budget", after: nil, account: "user\(number)"))
    }
    for number in [1, 2, 12, 30] {
      let found = try await store.events(
        matching: EventQuery(text: "bud"), for: "user\(number)", after: nil, limit: 100)
      #expect(found.map(\.event.id) == ["event\(number)"])
    }
    try await store.removeAll(for: "user1")
    #expect(try await store.collections(for: "user1").isEmpty)
    #expect(try await store.collections(for: "user2") == [collection])
  }

  /// Texts that have a meaning in the database's formats.
  @Test func wordsAndAddressesAreNoSyntax() async throws {
    let store = try await Self.makeStore()
    let addresses = [
      "o'neil@example.com", "back\\slash@example.com", "a:1,2 b&c|!<->*@example.com", "\u{0}nul@example.com",
      "\u{1}@example.com",
      String(repeating: "é", count: 2_000), "'", "\\", "",
    ]
    let events = addresses.enumerated().map { number, address in
      SyncTransaction.Step.put(
        .event(
          Event {
            $0.id = "event\(number)"
            $0.attendees = [EventAttendee { $0.email = address }]
            $0.summary = String(repeating: "long\(number)", count: 1_000)
          }))
    }
    try await store.apply(
      SyncTransaction(
        account: "me", collection: collection, expected: nil, state: SyncState(query: ""), steps: events))
    for (number, address) in addresses.enumerated() {
      let found = try await store.events(matching: EventQuery(attendee: address), for: "me", after: nil, limit: 100)
      // No server accepts control characters, or an address of that length.
      let isStored = !address.contains { $0 < "\u{2}" } && address.utf8.count <= 1_000
      #expect(found.map(\.event.id) == (isStored ? ["event\(number)"] : []))
      let text = String(repeating: "long\(number)", count: 1_000)
      let byText = try await store.events(matching: EventQuery(text: text), for: "me", after: nil, limit: 100)
      #expect(byText.map(\.event.id) == ["event\(number)"])
    }
  }

  /// The most that an event can have.
  @Test func longTextIsStored() async throws {
    let store = try await Self.makeStore()
    let texts = [
      (0..<30_000).map { "word\($0)" }.joined(separator: " "), String(repeating: "日本", count: 100_000),
      (0..<3_000).map { String(repeating: "\($0)é", count: 60) }.joined(separator: " "),
      String(repeating: "same ", count: 30_000),
    ]
    for (number, text) in texts.enumerated() {
      let old = try await store.state(of: collection, for: "me")
      try await store.apply(Self.transaction(["event\(number)"], summary: text, after: old))
    }
    for (text, count) in [("word1", 1), ("日本", 1), ("same same", 1), ("word29999", 0)] {
      let found = try await store.events(matching: EventQuery(text: text), for: "me", after: nil, limit: 100)
      #expect(found.count == count, "\(text)")
    }
  }
}
