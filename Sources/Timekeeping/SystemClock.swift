// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The operating system's clock.
public struct SystemClock: WallClock {
  /// Creates the operating system's clock.
  public init() {}

  /// The current time of this clock.
  public var now: Timestamp {
    var time = timespec()
    // `clock_gettime` fails only for a clock that does not exist; CLOCK_REALTIME always does.
    unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(secondsSince1970: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  /// The time by the continuous clock, which includes the machine's sleep.
  public var uptime: Duration {
    // The start is initialized on first use. Reading it first keeps the result from being negative.
    let start = Self.start
    return ContinuousClock.now - start
  }

  private static let start = ContinuousClock.now

  /// Waits for at least `duration`, but at most 2³² − 1 seconds, measured by the continuous clock.
  public func sleep(for duration: Duration) async throws {
    // The sleep of a task ends the process if its end does not fit into 64 bits.
    let longest = Duration.seconds(Int64(UInt32.max))
    try await Task.sleep(for: min(max(duration, .zero), longest), clock: .continuous)
  }
}

extension Timestamp {
  /// The current time of the operating system's clock.
  ///
  /// Code under test reads a ``WallClock`` instead.
  public static var now: Timestamp { SystemClock().now }
}
