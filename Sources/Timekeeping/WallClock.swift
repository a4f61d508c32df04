// SPDX-License-Identifier: Apache-2.0

/// A clock that returns the current instant, and waits.
///
/// Every module of the package uses time through this protocol. Code that uses a `WallClock` instead of the system's
/// clock can be tested without waiting. Use ``SystemClock`` in a program and `ManualClock` (module AlmanacTesting) in a
/// test. A custom clock needs two members. The others have default implementations:
///
/// ```swift
/// struct OffsetClock: WallClock {
///   let offset: Duration
///   var now: Timestamp { SystemClock().now + offset }
///   func sleep(for duration: Duration) async throws { try await SystemClock().sleep(for: duration) }
/// }
/// ```
///
/// Pass the clock of a property `let clock: any WallClock` to a parameter `clock: some WallClock` as `self.clock`. Without
/// `self.`, if the file imports Foundation, `clock` is also the name of the C library's function `clock()`. The compiler then
/// reports "type 'any WallClock' cannot conform to 'WallClock'".
public protocol WallClock: Sendable {
  /// The current instant.
  ///
  /// A user or a time server may set a wall clock: two readings can differ by any amount in either direction. Measure durations
  /// and time limits by ``uptime``.
  var now: Timestamp { get }

  /// The time since an arbitrary instant of this process.
  ///
  /// It never goes back, and setting the clock does not change it. The default implementation is ``now`` as a duration, for
  /// clocks that are never set.
  var uptime: Duration { get }

  /// Waits for at least `duration`.
  ///
  /// - Parameter duration: The time to wait. Zero and negative durations return immediately.
  /// - Throws: `CancellationError`, promptly, if the current task is cancelled.
  func sleep(for duration: Duration) async throws

  /// Waits until `deadline`, or returns immediately if it has passed.
  ///
  /// - Throws: `CancellationError`, promptly, if the current task is cancelled.
  func sleep(until deadline: Timestamp) async throws
}

extension WallClock {
  /// The time by ``now``.
  public var uptime: Duration { now - Timestamp(secondsSince1970: 0) }

  /// Runs `operation`, and cancels it after `limit`.
  ///
  /// - Throws: Any error of `operation`, or `failure` after `limit`. Also `CancellationError`, promptly, if the current
  ///   task is cancelled and `operation` ends promptly.
  package func limiting<Value: Sendable>(
    to limit: Duration, orThrow failure: @autoclosure @escaping @Sendable () -> any Error,
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await operation() }
      group.addTask {
        try await sleep(for: limit)
        throw failure()
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  /// Waits until `deadline` by this clock.
  public func sleep(until deadline: Timestamp) async throws {
    try await sleep(for: deadline - now)
  }
}
