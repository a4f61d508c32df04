// SPDX-License-Identifier: Apache-2.0

/// Tells the time of day and waits: the seam through which every module of the package sees time.
///
/// Code that asks a `WallClock` instead of the system can be tested without waiting. Take ``SystemClock`` in a program and
/// `ManualClock` (module AlmanacTesting) in a test. A clock of your own needs two members, and has the third by them:
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
  /// A wall clock may be set by a user or a time server: two readings may differ by any amount in either direction.
  var now: Timestamp { get }

  /// Waits for at least `duration`.
  ///
  /// - Parameter duration: How long to wait. Zero and negative durations return at once.
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled.
  func sleep(for duration: Duration) async throws

  /// Waits until `deadline`; returns at once if it has passed.
  ///
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled.
  func sleep(until deadline: Timestamp) async throws
}

extension WallClock {
  /// Sleeps until a time of this clock.
  public func sleep(until deadline: Timestamp) async throws {
    try await sleep(for: deadline - now)
  }
}
