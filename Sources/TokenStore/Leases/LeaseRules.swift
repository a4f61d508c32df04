// SPDX-License-Identifier: Apache-2.0

/// The decisions of the protocol by which machines share records, as pure functions.
///
/// No function waits, reads or writes, so a simulation can run the protocol.
///
/// - **The version of a row is the fencing token.** A write replaces the version read by the writer, or one still
///   containing the credential spent by the writer.
/// - **The lease only keeps two machines from sending.** It ends by the store's clock. Losing it cancels nothing.
/// - **The intent is noted before a credential is spent.** The next holder waits until the noted request must have ended.
package struct LeaseRules: Sendable {
  /// The time after which the lease of an unreachable machine ends.
  package var leaseTime = Duration.seconds(10)
  /// The maximum time for which a lease is renewed while the body runs: a hanging body frees the account.
  package var hardLimit = Duration.seconds(300)
  /// The time from the note of an intent to the last instant at which sending may begin.
  package var sendingWindow = Duration.seconds(5)
  /// The time between the latest end of a request and the end of the lease.
  ///
  /// It allows for clocks of different speeds.
  package var margin = Duration.seconds(2)
  /// The longest pause between two attempts to obtain a lease, for a store that notifies waiters of its end.
  package var longestPause = Duration.seconds(1)

  package init() {}
}

extension LeaseRules {
  /// The time between two renewals of a lease.
  package var renewalInterval: Duration { leaseTime / 3 }

  /// Returns whether a lease is renewed.
  ///
  /// - Parameter age: The time since it was obtained.
  package func renews(age: Duration) -> Bool { age < hardLimit }

  /// Returns the pause before the next attempt to obtain a lease.
  ///
  /// - Parameters:
  ///   - remaining: The time until the current lease ends, unless it is renewed.
  ///   - patience: The caller's remaining waiting time.
  ///   - jitter: A random number from 0 to 1.
  package func pause(remaining: Duration, patience: Duration, jitter: Double) -> Duration {
    max(.milliseconds(1), min(remaining + .milliseconds(5), patience, longestPause * (0.5 + jitter / 2)))
  }
}

// MARK: Before a credential is sent

extension LeaseRules {
  /// A holder's next step before it spends a credential.
  package enum Preparation: Sendable, Equatable {
    /// Note the intent, and prolong the lease.
    case note(lease: Duration, requestEnd: Duration)
    /// Wait for the end of the request of another holder, which may have spent the credential. Then read the row again.
    case wait(until: ContinuousClock.Instant)
    /// Spend nothing: the row has changed.
    case superseded
  }

  /// Returns a holder's next step before it spends a credential.
  ///
  /// - Parameters:
  ///   - intent: The holder's intent.
  ///   - row: The row.
  ///   - received: The instant of the row's reception, or a later one.
  ///   - version: The version of the row when the credential was read.
  ///   - lease: The number of the holder's lease.
  ///   - now: The current instant.
  package func preparation(
    for intent: SpendingIntent, row: LeasedRow, received: ContinuousClock.Instant, version: Int64, lease: Int64,
    now: ContinuousClock.Instant
  ) -> Preparation {
    guard row.version == version else { return .superseded }
    if let other = row.intent, other.lease != lease, other.credentialDigest == intent.credentialDigest {
      let end = received + other.remaining
      if end > now { return .wait(until: end) }
    }
    let requestEnd = sendingWindow + intent.requestLimit
    return .note(lease: requestEnd + margin, requestEnd: requestEnd)
  }

  /// Returns the number of bytes stored with an intent: twice the record's size, from 16 KiB to the maximum size of a
  /// record.
  package func reservedSize(for row: LeasedRow) -> Int {
    min(max(16_384, 2 * (row.record?.count ?? 0)), TokenRecord.maximumSize)
  }

  /// Returns the instant after which sending must not begin.
  ///
  /// - Parameter asked: An instant before the intent was sent to the store. The lease therefore ends later than computed here.
  package func sendingDeadline(asked: ContinuousClock.Instant) -> ContinuousClock.Instant { asked + sendingWindow }
}

// MARK: Writing

extension LeaseRules {
  /// A writer's next step with a row.
  package enum Writing: Sendable, Equatable {
    /// Replace this version.
    case replace(version: Int64)
    /// Nothing: an earlier attempt, whose outcome was unknown, has succeeded.
    case done
    /// Nothing: the row is newer.
    case superseded
  }

  /// The right of a writer to replace a row.
  package enum Claim: Sendable, Hashable {
    /// The writer did not read the record: it replaces any, as a new sign-in does.
    case any
    /// The writer read this version.
    case version(Int64)
    /// The writer read this version, and spent its credential.
    case spent(Secret, version: Int64)
  }

  /// Returns a writer's next step with a row.
  ///
  /// - Parameters:
  ///   - bytes: The record to write, or `nil` to remove it.
  ///   - row: The row.
  ///   - credential: The credential in the row's record, or `nil` if there is no readable record.
  ///   - claim: The writer's claim.
  ///   - isRepeated: Whether an earlier attempt to write the same record had an unknown outcome.
  package func writing(
    _ bytes: [UInt8]?, to row: LeasedRow, credential: Secret?, claim: Claim, isRepeated: Bool
  ) -> Writing {
    if isRepeated, row.record == bytes { return .done }
    switch claim {
    case .any: return .replace(version: row.version)
    case .version(row.version), .spent(_, version: row.version): return .replace(version: row.version)
    case .spent(let spent, _) where spent == credential: return .replace(version: row.version)
    case .version, .spent: return .superseded
    }
  }
}
