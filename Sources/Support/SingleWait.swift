// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The wait of one task for one value.
///
/// The wait ends once: with a value, an error, or the task's cancellation.
package final class SingleWait<Value: Sendable>: Sendable {
  private enum State {
    case ahead
    case waiting(CheckedContinuation<Value, any Error>)
    case over(Result<Value, any Error>)
  }

  private let state = Mutex(State.ahead)

  package init() {}

  /// Waits for the value.
  ///
  /// Only one task may call this method, and only once.
  ///
  /// - Throws: `CancellationError`, promptly, if the task is cancelled. Also the error that ended the wait.
  package func value() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Value, any Error>? = state.withLock { state in
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
  /// - Returns: Whether this call ended the wait, or `false` if it had ended before.
  @discardableResult
  package func end(_ outcome: Result<Value, any Error>) -> Bool {
    let (isFirst, waiter) = state.withLock { state in
      let waiter: CheckedContinuation<Value, any Error>?
      switch state {
      case .over: return (false, CheckedContinuation<Value, any Error>?.none)
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
