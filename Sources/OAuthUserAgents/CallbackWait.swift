// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import Synchronization
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The wait of one task for one callback.
///
/// It ends once: with the callback, an error, or the task's cancellation.
final class CallbackWait: Sendable {
  private enum State {
    case ahead
    case waiting(CheckedContinuation<URL, any Error>)
    case over(Result<URL, any Error>)
  }

  private let state = Mutex(State.ahead)

  /// Waits.
  ///
  /// One task does, once.
  ///
  /// - Throws: `CancellationError`, promptly, when the task is cancelled; what the wait was ended with.
  func callback() async throws -> URL {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<URL, any Error>? = state.withLock { state in
          if case .over(let outcome) = state { return outcome }
          state = .waiting(continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      end(.failure(CancellationError()))
    }
  }

  /// Ends the wait.
  ///
  /// - Returns: Whether it had not ended before.
  @discardableResult
  func end(_ outcome: Result<URL, any Error>) -> Bool {
    let (isFirst, waiter) = state.withLock { state in
      let waiter: CheckedContinuation<URL, any Error>?
      switch state {
      case .over: return (false, CheckedContinuation<URL, any Error>?.none)
      case .ahead: waiter = nil
      case .waiting(let continuation): waiter = continuation
      }
      state = .over(outcome)
      return (true, waiter)
    }
    waiter?.resume(with: outcome)
    return isFirst
  }
}

/// Waits for the callback for as long as the user may take.
///
/// - Throws: `OAuthError` with code `signInTimedOut`; any error that `wait` throws.
func withTimeLimit(
  _ limit: Duration, by clock: any WallClock, _ wait: @escaping @Sendable () async throws -> URL
) async throws -> URL {
  try await withThrowingTaskGroup(of: URL.self) { group in
    group.addTask { try await wait() }
    group.addTask {
      try await clock.sleep(for: limit)
      throw OAuthError(.signInTimedOut, "The sign-in page was not completed in time. Start the sign-in again.")
    }
    defer { group.cancelAll() }
    guard let callback = try await group.next() else { throw CancellationError() }
    return callback
  }
}
