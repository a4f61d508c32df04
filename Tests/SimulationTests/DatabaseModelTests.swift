// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import PostgreSQLFixtures
import Simulation
import TestSupport
import Testing
import TokenStore
import TokenStorePostgreSQL

/// The simulation's model of the database, compared with PostgreSQL.
@Suite(.takesTurns, TemporaryCluster.isInstalled) struct DatabaseModelTests {
  /// A database, and the numbers of its versions and leases in the order in which they were first returned.
  private struct Party {
    let rows: any LeasedRows
    /// The first number is the version of a row that does not exist.
    var numbers: [Int64] = [0]
    /// The names of the lease and the version that each account had last.
    var last: [String: (lease: Int, version: Int)] = [:]

    mutating func name(_ number: Int64) -> Int {
      if let index = numbers.firstIndex(of: number) { return index }
      numbers.append(number)
      return numbers.count - 1
    }

    mutating func describe(_ row: LeasedRow) -> String {
      let intent = row.intent.map {
        "\(name($0.lease)) \($0.credentialDigest) \($0.remaining > .zero ? "open" : "ended")"
      }
      return "record \(row.record ?? []) version \(name(row.version)) intent \(intent ?? "none")"
    }
  }

  /// A statement, with the names of a lease and a version.
  private struct Step {
    let kind: Int
    let account: String
    let lease: Int
    let version: Int
    let byte: UInt8?
    /// Far from the end of the test, so a slow machine changes nothing.
    let time: Duration

    init(after party: Party, using numbers: inout SeededNumbers) {
      kind = Int.random(in: 0..<9, using: &numbers)
      account = ["ada", "bob"].randomElement(using: &numbers) ?? ""
      let (last, all) = (party.last[account] ?? (0, 0), party.numbers.indices)
      lease = Int.random(in: 0..<4, using: &numbers) > 0 ? last.lease : Int.random(in: all, using: &numbers)
      version = Int.random(in: 0..<4, using: &numbers) > 0 ? last.version : Int.random(in: all, using: &numbers)
      byte = Int.random(in: 0..<4, using: &numbers) == 0 ? nil : UInt8.random(in: 1...9, using: &numbers)
      time = Bool.random(using: &numbers) ? .zero : .seconds(3600)
    }

    /// Executes the statement, and describes the result and the row.
    func result(in party: inout Party) async throws -> String {
      let (lease, version) = (party.numbers[lease], party.numbers[version])
      let result: String
      switch kind {
      case 0, 1:
        switch try await party.rows.acquire(account, holder: "holder \(byte ?? 0)", for: time) {
        case .held(let remaining): result = remaining > .zero ? "held" : "ended"
        case .acquired(let lease, let row):
          party.last[account, default: (0, 0)].lease = party.name(lease)
          result = "lease \(party.name(lease)) \(party.describe(row))"
        }
      case 2: result = "\(try await party.rows.renew(account, lease: lease, for: time))"
      case 3, 4:
        let isNoted = try await party.rows.note(
          account, lease: lease, version: version, credentialDigest: [byte ?? 0], reserving: 16, leaseTime: time,
          requestEnd: time)
        result = "\(isNoted)"
      case 5, 6:
        let new = try await party.rows.write(account, byte.map { [$0] }, replacing: version)
        result = new.map { "version \(party.name($0))" } ?? "refused"
      case 7: result = "\(try await party.rows.setAside(account, version: version) != nil)"
      default:
        try await party.rows.release(account, lease: lease)
        result = "released"
      }
      let row = try await party.rows.read(account)
      party.last[account, default: (0, 0)].version = party.name(row.version)
      return result + ", " + party.describe(row)
    }
  }

  private struct DirectConnection: DatabaseConnection {
    func execute<Output: Sendable>(_ statement: @escaping @Sendable (Duration) throws -> Output) async throws
      -> Output
    {
      try statement(.zero)
    }

    func wait(atMost time: Duration) async throws {}
  }

  @Test func modelBehavesAsPostgreSQL() async throws {
    var configuration = try PostgreSQLConfiguration(await TemporaryCluster.shared.makeDatabase())
    configuration.timeout = .seconds(3600)
    let storage = PostgreSQLTokenStorage(PostgreSQLClient(configuration))
    try await storage.migrateSchema()
    var model = Party(rows: DatabaseRows(Database(), DirectConnection()))
    var real = Party(rows: storage.leasedRows)
    var numbers = SeededNumbers(seed: 1)
    for number in 0..<400 {
      let step = Step(after: model, using: &numbers)
      let expected = try await step.result(in: &real)
      try #require(try await step.result(in: &model) == expected, "step \(number): \(step)")
    }
    #expect(real.numbers.count > 100)
  }
}
