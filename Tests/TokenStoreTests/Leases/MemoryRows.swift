// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization
import TokenStore

/// A model of a store that machines share, with the semantics of a database and its faults.
final class MemoryRows: LeasedRows {
  /// A fault of the next write.
  enum Fault {
    /// The store cannot be reached.
    case unavailable
    /// The write is carried out, and its response is lost.
    case lostResponse
  }

  struct Stored {
    var row = LeasedRow()
    var intentEnd: ContinuousClock.Instant?
    var lease: (number: Int64, holder: String, end: ContinuousClock.Instant)?
  }

  struct State {
    var rows: [[UInt8]: Stored] = [:]
    var lastNumber: Int64 = 0
    var faults: [Fault] = []
    var isDown = false
    /// An action before the store receives an intent.
    var beforeNote: (@Sendable () -> Void)?
    var aside: [[UInt8]] = []
    /// The callers that wait for a lease to end.
    var waits: [SingleWait<Void>] = []
  }

  let state = Mutex(State())
  private let clock: any LeaseClock

  init(clock: some LeaseClock) { self.clock = clock }

  private func use<Output>(_ account: String, _ body: (inout State, inout Stored) -> sending Output) throws
    -> sending Output
  {
    try state.withLock { state in
      guard !state.isDown else { throw TokenStorageError(.unavailable, "The store is down.") }
      let key = Array(account.utf8)
      var stored = state.rows[key] ?? Stored()
      let output = body(&state, &stored)
      state.rows[key] = stored.row.version == 0 && stored.lease == nil ? nil : stored
      return output
    }
  }

  /// Ends all leases and intents, as if their time had passed.
  func endLeases() {
    state.withLock { state in
      state.rows = state.rows.mapValues { stored in
        var stored = stored
        stored.lease?.end = clock.now
        if stored.intentEnd != nil { stored.intentEnd = clock.now }
        return stored
      }
    }
  }

  private func shown(_ stored: Stored) -> LeasedRow {
    var row = stored.row
    if let end = stored.intentEnd { row.intent?.remaining = end - clock.now }
    return row
  }

  func read(_ account: String) async throws -> LeasedRow { try use(account) { shown($1) } }

  func acquire(_ account: String, holder: String, for time: Duration) async throws -> LeaseAcquisition {
    try use(account) { state, stored in
      let now = clock.now
      if let lease = stored.lease, lease.end > now, lease.holder != holder { return .held(remaining: lease.end - now) }
      state.lastNumber += 1
      stored.lease = (state.lastNumber, holder, now + time)
      return .acquired(lease: state.lastNumber, shown(stored))
    }
  }

  func renew(_ account: String, lease: Int64, for time: Duration) async throws -> Bool {
    try use(account) { _, stored in
      guard let current = stored.lease, current.number == lease else { return false }
      stored.lease?.end = max(current.end, clock.now + time)
      return true
    }
  }

  func note(
    _ account: String, lease: Int64, version: Int64, credentialDigest: [UInt8], reserving: Int, leaseTime: Duration,
    requestEnd: Duration
  ) async throws -> Bool {
    state.withLock(\.beforeNote)?()
    return try use(account) { _, stored in
      guard stored.lease?.number == lease, stored.row.version == version else { return false }
      stored.lease?.end = clock.now + leaseTime
      stored.row.intent = .init(lease: lease, credentialDigest: credentialDigest, remaining: requestEnd)
      stored.intentEnd = clock.now + requestEnd
      return true
    }
  }

  func write(_ account: String, _ record: [UInt8]?, replacing version: Int64) async throws -> Int64? {
    let fault = state.withLock { $0.faults.isEmpty ? nil : $0.faults.removeFirst() }
    if case .unavailable = fault { throw TokenStorageError(.unavailable, "The store is down.") }
    let new: Int64? = try use(account) { state, stored in
      guard stored.row.version == version else { return nil }
      state.lastNumber += 1
      stored.row = LeasedRow(record: record, version: state.lastNumber)
      stored.intentEnd = nil
      return state.lastNumber
    }
    if case .lostResponse = fault { throw LeasedRowsError(TokenStorageError(.unavailable, "The response was lost.")) }
    return new
  }

  func setAside(_ account: String, version: Int64) async throws -> String? {
    try use(account) { state, stored in
      guard stored.row.version == version, let record = stored.row.record else { return nil }
      state.aside.append(record)
      state.lastNumber += 1
      stored.row = LeasedRow(version: state.lastNumber)
      return "the list of damaged records"
    }
  }

  func release(_ account: String, lease: Int64) async throws {
    let waits = try use(account) { state, stored -> [SingleWait<Void>] in
      guard stored.lease?.number == lease else { return [] }
      stored.lease = nil
      stored.row.intent = nil
      if stored.row.record == nil { stored = Stored() }
      defer { state.waits = [] }
      return state.waits
    }
    for wait in waits { wait.end(.success(())) }
  }

  /// Also ends if the lease of another account is released.
  func waitForRelease(of account: String, for time: Duration) async throws {
    let wait = SingleWait<Void>()
    let isHeld = state.withLock { state in
      guard state.rows[Array(account.utf8)]?.lease != nil else { return false }
      state.waits.append(wait)
      return true
    }
    guard isHeld else { return try Task.checkCancellation() }
    let timer = Task { [clock, end = clock.now + time] in
      try await clock.sleep(until: end)
      wait.end(.success(()))
    }
    defer { timer.cancel() }
    try await wait.value()
  }

  func checkWritable(_ account: String) async throws { try use(account) { _, _ in } }

  func accounts() async throws -> [String] {
    state.withLock { $0.rows.filter { $0.value.row.record != nil }.keys.map { String(decoding: $0, as: UTF8.self) } }
  }

  func location(of account: String) -> String { "the row of \(account)" }
}
