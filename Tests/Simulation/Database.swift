// SPDX-License-Identifier: Apache-2.0

import Synchronization
package import TokenStore

/// A model of the table of `PostgreSQLRows`.
package final class Database: Sendable {
  fileprivate struct Row {
    var record: [UInt8]?
    var version: Int64 = 0
    var lease: Int64?
    /// The holder of the lease and its end, or `nil` if it was released.
    var holder: String?
    var leaseEnd: Duration?
    var intent: (lease: Int64, digest: [UInt8], end: Duration)?
  }

  private struct State {
    var rows: [String: Row] = [:]
    var lastNumber: Int64 = 0
    /// The last states, which a failover can restore.
    var past: [(time: Duration, rows: [String: Row])] = []
  }

  private let state = Mutex(State())
  fileprivate let fault: PlantedFault?
  fileprivate let onWrite: @Sendable (_ record: [UInt8]?) -> Void

  /// - Parameters:
  ///   - fault: A fault of the statements.
  ///   - onWrite: Called with each record that is written.
  package init(_ fault: PlantedFault? = nil, onWrite: @escaping @Sendable (_ record: [UInt8]?) -> Void = { _ in }) {
    (self.fault, self.onWrite) = (fault, onWrite)
  }

  /// Restores the state of a time before the last commits.
  ///
  /// Numbers are not repeated, since the statements draw them at random.
  func loseCommits(since time: Duration) {
    state.withLock { state in
      guard let kept = state.past.first(where: { $0.time >= time }) else { return }
      state.rows = kept.rows
    }
  }

  /// The stored record of an account.
  func record(of account: String) -> [UInt8]? { state.withLock { $0.rows[account]?.record } }

  /// Changes a row, and removes it if it has neither a version nor a lease.
  fileprivate func change<Output>(
    _ account: String, at now: Duration, _ body: (inout Row, _ newNumber: () -> Int64) throws -> Output
  ) rethrows -> Output {
    try state.withLock { state in
      state.past.append((now, state.rows))
      if state.past.count > 40 { state.past.removeFirst(20) }
      var row = state.rows[account] ?? Row()
      var number = state.lastNumber
      let output = try body(&row) {
        number += 1
        return number
      }
      state.lastNumber = number
      state.rows[account] = row.version == 0 && row.lease == nil ? nil : row
      return output
    }
  }
}

extension Database.Row {
  fileprivate func shown(at now: Duration) -> LeasedRow {
    LeasedRow(
      record: record, version: version,
      intent: intent.map { .init(lease: $0.lease, credentialDigest: $0.digest, remaining: $0.end - now) })
  }
}

/// A connection to a database.
package protocol DatabaseConnection: Sendable {
  /// Executes a statement at a time of the database's clock, once or more than once.
  func execute<Output: Sendable>(_ statement: @escaping @Sendable (_ now: Duration) throws -> Output) async throws
    -> Output
  func wait(atMost time: Duration) async throws
}

/// A model of the statements of `PostgreSQLRows`.
package struct DatabaseRows<Connection: DatabaseConnection>: LeasedRows {
  private let database: Database
  private let connection: Connection

  package init(_ database: Database, _ connection: Connection) {
    (self.database, self.connection) = (database, connection)
  }

  private func change<Output: Sendable>(
    _ account: String,
    _ body: @escaping @Sendable (inout Database.Row, _ now: Duration, _ newNumber: () -> Int64) throws -> Output
  ) async throws -> Output {
    try await connection.execute { [database] now in
      try database.change(account, at: now) { row, newNumber in try body(&row, now, newNumber) }
    }
  }

  package func read(_ account: String) async throws -> LeasedRow {
    try await change(account) { row, now, _ in row.shown(at: now) }
  }

  package func acquire(_ account: String, holder: String, for time: Duration) async throws -> LeaseAcquisition {
    try await change(account) { row, now, newNumber in
      if let end = row.leaseEnd, end > now, row.holder != holder { return .held(remaining: end - now) }
      let lease = newNumber()
      (row.lease, row.holder, row.leaseEnd) = (lease, holder, now + time)
      return .acquired(lease: lease, row.shown(at: now))
    }
  }

  package func renew(_ account: String, lease: Int64, for time: Duration) async throws -> Bool {
    try await change(account) { row, now, _ in
      guard row.lease == lease, row.holder != nil else { return false }
      row.leaseEnd = max(row.leaseEnd ?? now, now + time)
      return true
    }
  }

  package func note(
    _ account: String, lease: Int64, version: Int64, credentialDigest: [UInt8], reserving: Int, leaseTime: Duration,
    requestEnd: Duration
  ) async throws -> Bool {
    try await change(account) { [fault = database.fault] row, now, _ in
      guard row.lease == lease, row.holder != nil, row.version == version || fault == .noVersionCheck else {
        return false
      }
      if fault == .noIntent { return true }
      row.leaseEnd = max(row.leaseEnd ?? now, now + leaseTime)
      row.intent = (lease, credentialDigest, now + requestEnd)
      return true
    }
  }

  package func write(_ account: String, _ record: [UInt8]?, replacing version: Int64) async throws -> Int64? {
    try await change(account) { [database] row, now, newNumber in
      if database.fault == .staleWriteDropped, row.lease != nil, row.leaseEnd.map({ $0 <= now }) ?? true {
        throw TokenStorageError.superseded
      }
      guard row.version == version || database.fault == .noVersionCheck else { return nil }
      (row.record, row.version, row.intent) = (record, newNumber(), nil)
      database.onWrite(record)
      return row.version
    }
  }

  package func setAside(_ account: String, version: Int64) async throws -> String? {
    try await change(account) { row, _, newNumber in
      guard row.version == version, row.record != nil else { return nil }
      (row.record, row.version) = (nil, newNumber())
      return "the damaged records"
    }
  }

  package func release(_ account: String, lease: Int64) async throws {
    try await change(account) { row, _, _ in
      guard row.lease == lease else { return }
      guard row.record != nil else { return row = Database.Row() }
      (row.holder, row.leaseEnd) = (nil, nil)
      if row.intent?.lease == lease { row.intent = nil }
    }
  }

  package func waitForRelease(of account: String, for time: Duration) async throws {
    try await connection.wait(atMost: time)
  }

  package func checkWritable(_ account: String) async throws {}
  package func accounts() async throws -> [String] { [] }
  package func location(of account: String) -> String { "the row of \(account)" }
}
