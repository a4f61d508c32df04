// SPDX-License-Identifier: Apache-2.0

import Synchronization

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
