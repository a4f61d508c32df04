// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One account's record in a ``TokenStorage``, during exclusive access.
///
/// The slot is valid until the body that received it ends. Later use throws a ``TokenStorageError``, because another
/// caller may have access by then.
public protocol TokenSlot: Sendable {
  /// Returns the current record, without using a cache.
  ///
  /// - Throws: ``TokenStorageError``.
  func read() async throws -> StoredToken?

  /// Replaces the record, or removes it if `token` is `nil`.
  ///
  /// After a removal, no read and no list finds the record, in any process or machine and after a crash, until another write.
  /// A removal succeeds even if the record is damaged or sealed.
  ///
  /// The change is durable when the call returns. It completes even if the current task is cancelled: a rotated refresh token
  /// must not be lost.
  ///
  /// A storage shared by machines can lose exclusive access while the body runs, such as during a pause of the machine.
  /// It then still accepts the write if the record contains the credential spent by the caller. It never replaces a
  /// newer record.
  ///
  /// - Throws: ``TokenStorageError``. The old record is then still in place. The code is
  ///   ``TokenStorageError/Code/superseded`` if another caller has replaced the record: read it again.
  func write(_ token: StoredToken?) async throws

  /// Prepares for a request that spends a credential, such as a refresh token or an authorization code, and whose
  /// result will be written.
  ///
  /// Call it directly before each such request. The storage reserves durable space for the largest record until the
  /// slot ends, if it can. A full disk then prevents the request instead of losing its result. A storage shared by
  /// machines notes the intent, together with as many bytes as the record is expected to have.
  ///
  /// The default implementation does nothing, which is right for a storage that never runs out of space and whose
  /// exclusive access cannot end before the body does. A storage that wraps another one must forward the call.
  ///
  /// - Parameter intent: The credential and the request.
  /// - Returns: The instant after which sending must not begin, for the request's `sendingDeadline`, or `nil` for none.
  /// - Throws: ``TokenStorageError``: the credential must not be sent. With code ``TokenStorageError/Code/superseded``, another caller
  ///   may have spent it: read the record again.
  func prepareToSpend(_ intent: SpendingIntent) async throws -> ContinuousClock.Instant?
}

extension TokenSlot {
  /// Allows the request at any time.
  public func prepareToSpend(_ intent: SpendingIntent) async throws -> ContinuousClock.Instant? { nil }
}

/// The intent to send a single-use credential.
public struct SpendingIntent: Sendable {
  private enum Credential: Sendable {
    case digest([UInt8])
    case secret(Secret)
  }

  private let credential: Credential
  /// The time limit of the request, from the start of sending to the last byte of the response.
  public let requestLimit: Duration
  /// Whether a sealed record will be written, which can replace another sealed record.
  package var writesSealed = false

  /// Creates an intent.
  public init(credentialDigest: [UInt8], requestLimit: Duration) {
    (credential, self.requestLimit) = (.digest(credentialDigest), requestLimit)
  }

  /// Creates an intent whose digest is computed only if the storage needs it.
  package init(_ secret: Secret, requestLimit: Duration) {
    (credential, self.requestLimit) = (.secret(secret), requestLimit)
  }

  /// The SHA-256 digest of the credential, computed at each access.
  public var credentialDigest: [UInt8] {
    switch credential {
    case .digest(let digest): digest
    case .secret(let secret): RecordDigest.of(Array(secret.reveal().utf8))
    }
  }
}

/// The state of a ``TokenSlot``'s access.
///
/// It runs the slot's operations one at a time, and rejects them after access has ended.
final class SlotLease: Sendable {
  private let isRunning = Mutex(true)

  /// Runs `work`.
  ///
  /// - Throws: ``TokenStorageError`` with code `unavailable` if access has ended.
  func use<Output>(_ work: () throws -> sending Output) throws -> sending Output {
    try isRunning.withLock { isRunning in
      guard isRunning else {
        throw TokenStorageError.slotEnded
      }
      return try work()
    }
  }

  /// Waits for the running operation, runs `release`, and rejects all later operations.
  func end(_ release: () -> Void = {}) {
    isRunning.withLock { isRunning in
      isRunning = false
      release()
    }
  }
}
