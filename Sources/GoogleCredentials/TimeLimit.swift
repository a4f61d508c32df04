// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// Runs `operation`, and cancels it after `limit`.
///
/// - Throws: Any error that `operation` throws, or the result of `failure`; `CancellationError`, promptly, if the current task
///   is cancelled.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, by clock: any WallClock, _ operation: @escaping @Sendable () async throws -> Value,
  orThrow failure: @escaping @Sendable () -> any Error
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      try await clock.sleep(for: limit)
      throw failure()
    }
    defer { group.cancelAll() }
    guard let value = try await group.next() else { throw CancellationError() }
    return value
  }
}
