// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Runs what blocks on threads of its own, so that no thread of the concurrency pool ever waits for a disk, a keychain or a
/// terminal.
package enum BlockingWork {
  /// A serial queue for each call: its threads are made as needed, while those of a concurrent queue are as few as the
  /// processors and shared with Swift's own, so that calls that wait would hold up all others.
  private static var queue: DispatchQueue { DispatchQueue(label: "almanac.blocking-work") }

  /// Runs `work`, which cancellation does not interrupt.
  package static func run<Output: Sendable>(
    _ work: @escaping @Sendable () throws -> Output
  ) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }

  /// Runs `work`, which cannot fail and which cancellation does not interrupt.
  package static func run(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async {
        work()
        continuation.resume()
      }
    }
  }

  /// Runs `work`, which stops when the current task is cancelled.
  ///
  /// - Parameter work: Asks at least every 100 milliseconds whether it is cancelled, and then throws `CancellationError`.
  package static func runCancellable<Output: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Output
  ) async throws -> Output {
    let isCancelled = Atomic(false)
    return try await withTaskCancellationHandler {
      try await run { try work { isCancelled.load(ordering: .relaxed) } }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
  }
}
