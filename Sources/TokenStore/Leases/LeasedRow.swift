// SPDX-License-Identifier: Apache-2.0

/// A row of a store shared by machines: one account's record, its version, and the last intent.
package struct LeasedRow: Sendable, Equatable {
  /// The intent of a lease's holder to send a credential.
  package struct Intent: Sendable, Equatable {
    /// The number of the lease.
    package var lease: Int64
    /// The SHA-256 digest of the credential.
    package var credentialDigest: [UInt8]
    /// The time until the request must have ended, by the store's clock.
    ///
    /// It is negative afterwards.
    package var remaining: Duration

    package init(lease: Int64, credentialDigest: [UInt8], remaining: Duration) {
      (self.lease, self.credentialDigest, self.remaining) = (lease, credentialDigest, remaining)
    }
  }

  /// The bytes of the record, or `nil` if there is none.
  package var record: [UInt8]?
  /// The version, or 0 if there is no row.
  ///
  /// Every write sets a version that no row had before.
  package var version: Int64
  /// The last intent noted and not completed.
  package var intent: Intent?

  package init(record: [UInt8]? = nil, version: Int64 = 0, intent: Intent? = nil) {
    (self.record, self.version, self.intent) = (record, version, intent)
  }
}

/// The statements of a store shared by machines.
///
/// Each is atomic, and durable when it returns. Times are by the store's clock. A statement throws
/// ``TokenStorageError``. After ``LeasedRowsError`` with an unknown outcome, the row must be read again.
package protocol LeasedRows: Sendable {
  /// Reads a row, without its lease.
  func read(_ account: String) async throws -> LeasedRow

  /// Obtains the lease of an account if it is free, has ended, or belongs to this holder.
  ///
  /// - Parameter holder: A text unique to this call and its repetitions.
  /// - Returns: The lease, or the time until the current one ends.
  func acquire(_ account: String, holder: String, for time: Duration) async throws -> LeaseAcquisition

  /// Prolongs a lease to at least `time` from now, even if it has ended, unless it was released.
  ///
  /// - Returns: Whether the lease is still the account's last one.
  func renew(_ account: String, lease: Int64, for time: Duration) async throws -> Bool

  /// Notes an intent and prolongs the lease, if the lease is the account's last one, was not released, and the row has this version.
  ///
  /// - Parameter reserving: The number of bytes to store with the intent, so a store without space refuses it.
  /// - Returns: Whether the intent was noted.
  func note(
    _ account: String, lease: Int64, version: Int64, credentialDigest: [UInt8], reserving: Int, leaseTime: Duration,
    requestEnd: Duration
  ) async throws -> Bool

  /// Replaces the record of a row with this version, or removes it if `record` is `nil`, regardless of the holder of the lease.
  ///
  /// The intent is completed.
  ///
  /// - Returns: The new version, or `nil` if the row has another one.
  func write(_ account: String, _ record: [UInt8]?, replacing version: Int64) async throws -> Int64?

  /// Moves a damaged record aside, if the row has this version.
  ///
  /// - Returns: The new location, for display, or `nil` if the row has another version.
  func setAside(_ account: String, version: Int64) async throws -> String?

  /// Ends a lease, unless another one has replaced it. Its intent is completed.
  func release(_ account: String, lease: Int64) async throws

  /// Waits until the lease of an account may have ended, at most for `time`.
  ///
  /// - Throws: `CancellationError`.
  func waitForRelease(of account: String, for time: Duration) async throws

  /// Checks that a row could be written, and leaves nothing behind.
  func checkWritable(_ account: String) async throws

  /// Returns the accounts with a record.
  func accounts() async throws -> [String]

  /// The location of a record, for display.
  func location(of account: String) -> String
}

/// The result of ``LeasedRows/acquire(_:holder:for:)``.
package enum LeaseAcquisition: Sendable {
  /// The lease and the row.
  case acquired(lease: Int64, LeasedRow)
  /// Another holder has the lease, which ends after this time unless it is renewed.
  case held(remaining: Duration)
}

/// An error of a statement with an unknown outcome.
package struct LeasedRowsError: Error {
  /// The error for the caller.
  package let error: TokenStorageError

  package init(_ error: TokenStorageError) { self.error = error }
}

/// The clock of a machine with shared records: it is never set, and counts the time of the machine's suspensions.
package protocol LeaseClock: Sendable {
  var now: ContinuousClock.Instant { get }

  /// - Throws: `CancellationError`.
  func sleep(until instant: ContinuousClock.Instant) async throws
}

/// The system's clock.
package struct SystemLeaseClock: LeaseClock {
  package init() {}

  package var now: ContinuousClock.Instant { .now }

  package func sleep(until instant: ContinuousClock.Instant) async throws {
    try await Task.sleep(until: instant, clock: .continuous)
  }
}
