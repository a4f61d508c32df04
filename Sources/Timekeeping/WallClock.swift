// SPDX-License-Identifier: Apache-2.0

/// A clock that tells the current instant, and waits.
///
/// Every module of the package uses time through this protocol. Code that uses a `WallClock` instead of the system's clock can
/// be tested without waiting. Use ``SystemClock`` in a program and `ManualClock` (module AlmanacTesting) in a test. A custom
/// clock needs two members; the third has a default implementation:
///
/// ```swift
/// struct OffsetClock: WallClock {
///   let offset: Duration
///   var now: Timestamp { SystemClock().now + offset }
///   func sleep(for duration: Duration) async throws { try await SystemClock().sleep(for: duration) }
/// }
/// ```
public protocol WallClock: Sendable {
  /// The current instant.
  ///
  /// A user or a time server may set a wall clock: two readings can differ by any amount in either direction.
  var now: Timestamp { get }

  /// Waits for at least `duration`.
  ///
  /// - Parameter duration: The time to wait. Zero and negative durations return immediately.
  /// - Throws: `CancellationError`, promptly, if the current task is cancelled.
  func sleep(for duration: Duration) async throws

  /// Waits until `deadline`; returns immediately if it has passed.
  ///
  /// - Throws: `CancellationError`, promptly, if the current task is cancelled.
  func sleep(until deadline: Timestamp) async throws
}

extension WallClock {
  /// Waits until `deadline` by this clock.
  public func sleep(until deadline: Timestamp) async throws {
    try await sleep(for: deadline - now)
  }
}
