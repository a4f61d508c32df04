// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization

/// One account's record, while this machine has its lease or has not noticed its loss.
final class LeasedTokenSlot: TokenSlot {
  private struct State {
    /// The row as it was last read or written.
    var row: LeasedRow
    /// The instant of the row's reception, or a later one.
    var received: ContinuousClock.Instant
    /// Whether the row was read with the lease, and not used since.
    var isFresh = true
    var claim = LeaseRules.Claim.any
    /// The credential of the last read record.
    var credential: Secret?
    var hasEnded = false
  }

  let account: String
  let lease: Int64
  private let storage: LeasedTokenStorage
  private let state: Mutex<State>

  init(
    storage: LeasedTokenStorage, account: String, lease: Int64, row: LeasedRow, received: ContinuousClock.Instant
  ) {
    self.storage = storage
    self.account = account
    self.lease = lease
    state = Mutex(State(row: row, received: received))
  }

  /// Rejects all later operations.
  func end() { state.withLock { $0.hasEnded = true } }

  func read() async throws -> StoredToken? {
    try check()
    // The first read is part of the statement that obtained the lease.
    let fresh = state.withLock { state in
      defer { state.isFresh = false }
      return state.isFresh ? state.row : nil
    }
    let row = if let fresh { fresh } else { try await storage.rows.knownRead(account) }
    if fresh == nil { keep(row) }
    let content = try await storage.rows.content(of: row, account)
    // The caller can open a sealed record, so its credential is noted too.
    state.withLock { state in
      state.credential = content.credential
      state.claim = .version(row.version)
    }
    return try content.token
  }

  func prepareToSpend(_ intent: SpendingIntent) async throws -> ContinuousClock.Instant? {
    try check()
    while true {
      let (row, received, claim) = state.withLock { ($0.row, $0.received, $0.claim) }
      let version =
        switch claim {
        case .any: row.version
        case .version(let version), .spent(_, let version): version
        }
      // Read before the intent is sent: the lease then ends later than computed.
      let asked = storage.clock.now
      switch storage.rules.preparation(
        for: intent, row: row, received: received, version: version, lease: lease, now: asked)
      {
      case .superseded: throw TokenStorageError.superseded
      case .wait(let end):
        try await storage.clock.sleep(until: end)
        keep(try await storage.rows.knownRead(account))
      case .note(let leaseTime, let requestEnd):
        let isNoted: Bool
        do {
          isNoted = try await storage.rows.note(
            account, lease: lease, version: version, credentialDigest: intent.credentialDigest,
            reserving: storage.rules.reservedSize(for: row), leaseTime: leaseTime, requestEnd: requestEnd)
        } catch let error as LeasedRowsError {
          throw error.error
        }
        guard isNoted else { throw TokenStorageError.superseded }
        state.withLock { state in
          state.row.intent = nil
          if let credential = state.credential { state.claim = .spent(credential, version: version) }
        }
        return storage.rules.sendingDeadline(asked: asked)
      }
    }
  }

  @concurrent func write(_ token: StoredToken?) async throws {
    try check()
    let record = token.map { TokenRecord.encode($0) }
    if let record, record.count > TokenRecord.maximumSize {
      throw TokenStorageError(
        .unavailable, "The token is too large to store: \(record.count) bytes of at most \(TokenRecord.maximumSize).")
    }
    let (row, claim) = state.withLock { ($0.row, $0.claim) }
    // A task of its own, since the write must be completed even if the current task is cancelled.
    let written = try await Task { [storage, account] in
      do {
        return try await storage.rows.write(
          record, of: account, to: row, claim: claim, canReplaceSealed: token.map { $0.sealed != nil } ?? true,
          rules: storage.rules)
      } catch let error as TokenStorageError where error.code == .superseded {
        throw error
      } catch {
        // A token that was issued for a spent credential must not be lost.
        if let record, case .spent = claim {
          storage.unwritten.keep(record, of: account, claim, isSealed: token?.sealed != nil)
        }
        throw error
      }
    }.value
    keep(written)
    state.withLock { state in
      state.claim = .version(written.version)
      state.credential = token.map { $0.sealed.map { Secret($0) } ?? $0.spentCredential }
    }
  }

  private func keep(_ row: LeasedRow) {
    let now = storage.clock.now
    state.withLock { state in
      state.row = row
      state.received = now
      state.isFresh = false
    }
  }

  private func check() throws {
    guard state.withLock({ !$0.hasEnded }) else { throw TokenStorageError.slotEnded }
  }
}
