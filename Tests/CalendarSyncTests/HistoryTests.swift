// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import CalendarAPI
import CalendarSync
import CalendarSyncPostgreSQL
import CalendarSyncSQLite
import Foundation
import PostgreSQL
import PostgreSQLFixtures
import TestSupport
import Testing
import Timekeeping

/// Random histories of a user's calendars, with interruptions of the synchronization at random.
///
/// `ALMANAC_SYNC_SEEDS` is the number of histories; it defaults to 5. A failure names its seed.
@Suite struct HistoryTests {
  private static let seeds = ProcessInfo.processInfo.environment["ALMANAC_SYNC_SEEDS"].flatMap(Int.init) ?? 5

  @Test func copyEqualsTheServerAfterEveryHistory() async throws {
    for seed in 1...Self.seeds { try await History(seed: UInt64(seed)).run() }
  }

  @Test func copyInAFileEqualsTheServerAfterEveryHistory() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for seed in 1...max(1, Self.seeds / 4) {
      let store = SQLiteCalendarStore(file: folder.appending(path: "\(seed).sqlite"))
      try await History(seed: UInt64(seed), store: store).run()
    }
  }

  @Test(.takesTurns, TemporaryCluster.isInstalled) func copyInADatabaseEqualsTheServerAfterEveryHistory() async throws {
    let cluster = try await TemporaryCluster.shared
    for seed in 1...max(1, Self.seeds / 4) {
      var configuration = try PostgreSQLConfiguration(await cluster.makeDatabase())
      // No statement ends because the machine is busy.
      configuration.timeout = .seconds(3_600)
      let client = PostgreSQLClient(configuration)
      let store = PostgreSQLCalendarStore(client)
      try await store.migrateSchema()
      try await History(seed: UInt64(seed), store: store).run()
      client.close()
    }
  }
}
