// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One account's place in a ``TokenStorage``, while access to it is exclusive.
///
/// It ends with the body it was given to: a later use throws a ``TokenStorageError``, because another caller
/// else may have access by then.
public protocol TokenSlot: Sendable {
  /// Returns the record as it is now, past any cache.
  ///
  /// - Throws: ``TokenStorageError``.
  func read() async throws -> StoredToken?

  /// Replaces the record, or removes it for `nil`. The change is durable when the call returns, and it is carried
  /// through even if the current task is cancelled: a rotated refresh token must not be lost.
  ///
  /// - Throws: ``TokenStorageError``; the record is then the old one.
  func write(_ token: StoredToken?) async throws
}

/// Whether a ``TokenSlot`` still has access; its operations happen one at a time and before the end.
final class SlotLease: Sendable {
  private let isRunning = Mutex(true)

  /// Runs `work`.
  ///
  /// - Throws: ``TokenStorageError`` with code `unavailable` after the end.
  func use<Output>(_ work: () throws -> sending Output) throws -> sending Output {
    try isRunning.withLock { isRunning in
      guard isRunning else {
        throw TokenStorageError(
          .unavailable,
          "The slot was used after its exclusive access had ended. Read and write before the body returns.")
      }
      return try work()
    }
  }

  /// Waits for what is running, runs `release`, and refuses everything afterwards.
  func end(_ release: () -> Void = {}) {
    isRunning.withLock { isRunning in
      isRunning = false
      release()
    }
  }
}
