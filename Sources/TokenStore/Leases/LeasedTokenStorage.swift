// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization

/// A token storage in rows shared by machines, by leases and versions.
///
/// ``LeaseRules`` has the decisions of the protocol, and ``LeasedRows`` the statements of the store.
package final class LeasedTokenStorage: TokenStorage {
  package let rows: any LeasedRows
  let rules: LeaseRules
  let clock: any LeaseClock
  /// The issued tokens that the store failed to store.
  let unwritten: UnwrittenTokens
  private let waitLimit: Duration
  /// One queue for the object: only the first waiter for an account asks for its lease.
  private let locks = KeyedLock<[UInt8]>()

  package init(
    rows: any LeasedRows, rules: LeaseRules = LeaseRules(), clock: some LeaseClock = SystemLeaseClock(),
    waitLimit: Duration = .seconds(60)
  ) {
    self.rows = rows
    self.rules = rules
    self.clock = clock
    self.waitLimit = waitLimit
    unwritten = UnwrittenTokens(rows: rows, rules: rules, clock: clock)
  }

  package func token(for account: String) async throws -> StoredToken? {
    try check(account)
    return try await rows.content(of: rows.knownRead(account), account).token
  }

  @concurrent package func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try check(account)
    // The limit includes the time in the queue. Otherwise, each waiter would wait for a stopped machine in turn.
    let deadline = clock.now + waitLimit
    return try await locks.withLock(for: Array(account.utf8)) {
      try await unwritten.write(account)
      let slot = try await acquire(account, until: deadline)
      let renewal = Task { await renew(account, lease: slot.lease) }
      do {
        let result = try await body(slot)
        await end(slot, renewal)
        return result
      } catch {
        await end(slot, renewal)
        throw error
      }
    }
  }

  package func checkWritable(_ account: String) async throws {
    try check(account)
    do {
      _ = try await token(for: account)
    } catch let error as TokenStorageError where error.code == .corrupted {
      // The record was set aside.
    }
    try await rows.checkWritable(account)
  }

  package func accounts() async throws -> [String] { try await rows.accounts() }

  /// Writes the previously unwritten tokens.
  ///
  /// Call it before the program ends.
  ///
  /// - Throws: ``TokenStorageError`` if the store still fails. The tokens are then lost with the process.
  package func writeUnwritten() async throws { try await unwritten.writeAll() }

  private func check(_ account: String) throws {
    guard !account.isEmpty else { throw TokenStorageError.emptyAccount }
  }
}

extension LeasedTokenStorage {
  private func acquire(_ account: String, until deadline: ContinuousClock.Instant) async throws -> LeasedTokenSlot {
    let holder = randomToken()
    var attempts = 0
    while true {
      let acquisition: LeaseAcquisition
      do {
        acquisition = try await requestLease(account, holder: holder)
      } catch let error as LeasedRowsError {
        // If the lease was obtained, the same holder obtains it again.
        attempts += 1
        guard attempts < 5 else { throw error.error }
        continue
      }
      switch acquisition {
      case .acquired(let lease, let row):
        return LeasedTokenSlot(storage: self, account: account, lease: lease, row: row, received: clock.now)
      case .held(let remaining):
        let patience = deadline - clock.now
        guard patience > .zero else {
          // The caller may have been cancelled since the store responded, or while the thread was waiting for a processor.
          try Task.checkCancellation()
          throw TokenStorageError(
            .busy,
            """
            Another caller has had exclusive access to \(rows.location(of: account)) for longer than \(waitLimit). If it is stopped, \
            its lease expires. Try again later.
            """)
        }
        let pause = rules.pause(remaining: remaining, patience: patience, jitter: .random(in: 0...1))
        try await rows.waitForRelease(of: account, for: pause)
      }
    }
  }

  /// Requests a lease, and releases it immediately if the caller is cancelled meanwhile.
  private func requestLease(_ account: String, holder: String) async throws -> LeaseAcquisition {
    let request = LeaseRequest()
    do {
      // The statement is completed even if the current task is cancelled. Otherwise, a lease without a caller would block the
      // account.
      return try await shielded { [rows, rules] in
        let acquisition = try await rows.acquire(account, holder: holder, for: rules.leaseTime)
        if case .acquired(let lease, _) = acquisition, !request.obtain(lease) {
          try? await rows.release(account, lease: lease)
        }
        return acquisition
      }
    } catch let error as CancellationError {
      if let lease = request.abandon() { Task { [rows] in try? await rows.release(account, lease: lease) } }
      throw error
    }
  }

  /// Renews a lease until the task is cancelled, the lease is lost, or its hard limit is reached.
  private func renew(_ account: String, lease: Int64) async {
    let start = clock.now
    var next = start + rules.renewalInterval
    while rules.renews(age: clock.now - start) {
      guard (try? await clock.sleep(until: next)) != nil else { return }
      // A failure is no reason to stop: the next renewal may succeed. A lost lease cancels nothing.
      if (try? await rows.renew(account, lease: lease, for: rules.leaseTime)) == false { return }
      next = clock.now + rules.renewalInterval
    }
  }

  private func end(_ slot: LeasedTokenSlot, _ renewal: Task<Void, Never>) async {
    slot.end()
    // The lease of an account with an unwritten token is kept, so no other machine sends the credential that the token replaces.
    if unwritten.keep(slot.lease, renewedBy: renewal, of: slot.account) { return }
    renewal.cancel()
    // Releases the lease even if the task is cancelled.
    let isReleased = await Task { [rows] in (try? await rows.release(slot.account, lease: slot.lease)) != nil }.value
    if !isReleased { Task { await releaseLater(slot.account, lease: slot.lease) } }
  }

  /// Repeats a failed release of a lease, until it succeeds or the wait limit has elapsed.
  private func releaseLater(_ account: String, lease: Int64) async {
    let end = clock.now + waitLimit
    var pause = Duration.milliseconds(100)
    while clock.now < end {
      guard (try? await clock.sleep(until: clock.now + pause)) != nil else { return }
      if (try? await rows.release(account, lease: lease)) != nil { return }
      pause = min(pause * 2, .seconds(2))
    }
  }
}

/// The content of a row.
enum LeasedContent {
  case nothing
  case token(StoredToken)
  /// A record readable only with its key, as the error for a reader without the key.
  case sealed(TokenStorageError)

  /// The token, or `nil` if there is no record.
  ///
  /// - Throws: ``TokenStorageError`` for a sealed record.
  var token: StoredToken? {
    get throws {
      switch self {
      case .nothing: nil
      case .token(let token): token
      case .sealed(let error): throw error
      }
    }
  }

  /// The credential of the record, or, for a sealed record, its sealed form, which every write changes.
  var credential: Secret? {
    switch self {
    case .nothing: nil
    case .token(let token): token.spentCredential
    case .sealed(let error): error.sealed.map { Secret($0) }
    }
  }
}

/// A request for a lease whose caller can be cancelled.
private final class LeaseRequest: Sendable {
  private let state = Mutex<(lease: Int64?, isAbandoned: Bool)>((nil, false))

  /// Stores the lease, or returns `false` if the caller has abandoned the request.
  func obtain(_ lease: Int64) -> Bool {
    state.withLock { state in
      state.lease = lease
      return !state.isAbandoned
    }
  }

  /// Abandons the request, and returns the lease if it was obtained.
  func abandon() -> Int64? {
    state.withLock { state in
      state.isAbandoned = true
      return state.lease
    }
  }
}

extension LeasedRows {
  /// Reads a row.
  ///
  /// An error of a read never has an unknown outcome.
  func knownRead(_ account: String) async throws -> LeasedRow {
    do { return try await read(account) } catch let error as LeasedRowsError { throw error.error }
  }

  /// Decodes the record of a row, and sets a damaged one aside.
  @concurrent func content(of row: LeasedRow, _ account: String) async throws -> LeasedContent {
    switch try TokenRecord.decode(row.record, at: location(of: account)) {
    case .nothing: return .nothing
    case .token(let token): return .token(token)
    case .sealed(let error): return .sealed(error)
    case .damaged:
      let place = try await setAside(account, version: row.version)
      throw TokenStorageError(
        .corrupted,
        "\(location(of: account)) was damaged\(place.map { " and is now in \($0)" } ?? ""). Sign in again.")
    }
  }

  /// Writes a record, as far as the claim of the writer allows.
  ///
  /// A statement whose outcome is unknown is repeated after the row was read again.
  ///
  /// - Parameters:
  ///   - record: The bytes of the record, or `nil` to remove it.
  ///   - canReplaceSealed: Whether the writer may replace a record it cannot read.
  /// - Throws: ``TokenStorageError``, with code ``TokenStorageError/Code/superseded`` if the row is newer.
  func write(
    _ record: [UInt8]?, of account: String, to row: LeasedRow, claim: LeaseRules.Claim, canReplaceSealed: Bool,
    rules: LeaseRules
  ) async throws -> LeasedRow {
    var row = row
    var isRepeated = false
    var attempts = 0
    while true {
      let stored: LeasedContent
      do {
        stored = try await content(of: row, account)
      } catch let error as TokenStorageError where error.code == .corrupted {
        // It was set aside, or replaced by another writer.
        row = try await knownRead(account)
        if claim == .any { continue }
        throw TokenStorageError.superseded
      }
      if case .sealed(let error) = stored, !canReplaceSealed { throw error }
      switch rules.writing(record, to: row, credential: stored.credential, claim: claim, isRepeated: isRepeated) {
      case .done: return row
      case .superseded: throw TokenStorageError.superseded
      case .replace(let version):
        do {
          if let new = try await write(account, record, replacing: version) {
            return LeasedRow(record: record, version: new)
          }
        } catch let error as LeasedRowsError {
          isRepeated = true
          attempts += 1
          guard attempts < 5 else { throw error.error }
        }
        row = try await knownRead(account)
      }
    }
  }
}
