// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQL
import TokenStore
import TokenStorePostgreSQL
import TokenStoreSealed

/// Fills a database, or works on its records for several seconds, and prints the rate as pgbench does.
///
/// `Benchmarks/DatabaseBenchmarks/bench-database` starts it in turns with pgbench.
guard let load = try Load(Array(CommandLine.arguments.dropFirst())) else {
  FileHandle.standardError.write(Data((Load.usage + "\n").utf8))
  exit(2)
}
try await load.run()

/// The load of a client: a task for each connection, which works on records of the size of a sign-in at Google.
struct Load: Sendable {
  static let usage = "usage: DatabaseBenchmarks fill|read|section plain|sealed DATABASE ROWS CONNECTIONS SECONDS"

  private let (work, isSealed, rows, connections, duration): (String, Bool, Int, Int, Duration)
  private let plain: PostgreSQLTokenStorage
  private let storage: any TokenStorage
  private let token = StoredToken(
    accessToken: Secret(String(repeating: "a", count: 180)), refreshToken: Secret(String(repeating: "r", count: 100)),
    scopes: ["https://www.googleapis.com/auth/calendar"])

  /// Parses the arguments, or returns `nil` if they are invalid.
  init?(_ arguments: [String]) throws {
    guard arguments.count == 6, let rows = Int(arguments[3]), let connections = Int(arguments[4]), 0 < connections,
      connections <= rows, let seconds = Double(arguments[5])
    else { return nil }
    (work, isSealed, duration) = (arguments[0], arguments[1] == "sealed", .seconds(seconds))
    (self.rows, self.connections) = (rows, connections)
    var configuration = try PostgreSQLConfiguration(arguments[2])
    configuration.maximumConnections = connections
    configuration.timeout = .seconds(300)
    plain = PostgreSQLTokenStorage(PostgreSQLClient(configuration))
    let keys = try SealingKeyRing([SealingKey(identifier: "benchmark", bytes: [UInt8](repeating: 7, count: 32))])
    storage = isSealed ? SealedTokenStorage(wrapping: plain, keys: keys, store: "benchmark") : plain
  }

  func run() async throws {
    if work == "fill" { return try await fill() }
    _ = try await count(for: .zero)  // opens the connections
    let start = ContinuousClock.now
    let count = try await count(for: duration)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("number of transactions actually processed: \(count)\ntps = \(Double(count) / seconds)")
    try await plain.close()
  }

  /// Creates the tables and the records, whose accounts are the numbers from 1.
  private func fill() async throws {
    try await plain.migrateSchema()
    // A sealed record is bound to its account. A plain one can be copied.
    let written = isSealed ? rows : 1
    for number in 1...written { try await change("\(number)") }
    try await plain.database.query(
      """
      INSERT INTO almanac_tokens (account, record, version) SELECT convert_to(number::text, 'UTF8'), record, number
      FROM almanac_tokens, generate_series(\(written + 1), \(rows)) AS number
      """)
    try await plain.database.query("VACUUM (ANALYZE) almanac_tokens")
    try await plain.close()
  }

  private func change(_ account: String) async throws {
    try await storage.withExclusiveAccess(to: account) { try await $0.write($0.read() ?? token) }
  }

  /// Returns the number of operations in a time, at least one for each task.
  private func count(for time: Duration) async throws -> Int {
    try await withThrowingTaskGroup { group in
      let end = ContinuousClock.now + time
      for task in 1...connections {
        group.addTask {
          var (count, number) = (0, UInt64(task))
          repeat {
            // Each task has its own accounts, so no section waits for another one.
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let account = "\(task + connections * (Int(number >> 33) % (rows / connections)))"
            if work == "read" { _ = try await storage.token(for: account) } else { try await change(account) }
            count += 1
          } while ContinuousClock.now < end
          return count
        }
      }
      return try await group.reduce(0, +)
    }
  }
}
