// SPDX-License-Identifier: Apache-2.0

/// An instant on the UTC time line, with nanosecond resolution and no time zone.
///
/// Every module of the package uses `Timestamp` instead of Foundation's `Date`: it needs no Foundation, compares
/// exactly, and does not lose digits. It can represent every instant of RFC 3339, in the years 0000 to 9999.
public struct Timestamp: Sendable, Hashable {
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded towards the past.
  public let secondsSince1970: Int64

  /// Nanoseconds to add to ``secondsSince1970``: 0 to 999,999,999, also for instants before 1970.
  public let nanoseconds: Int32

  /// Creates an instant from whole seconds since 1970 and nanoseconds within the second.
  ///
  /// - Parameters:
  ///   - secondsSince1970: Whole seconds since 1970-01-01T00:00:00Z, negative before it.
  ///   - nanoseconds: Nanoseconds to add. Values outside 0 ..< 1,000,000,000 carry over into the seconds.
  public init(secondsSince1970: Int64, nanoseconds: Int32 = 0) {
    if nanoseconds >= 0, nanoseconds < 1_000_000_000 {
      self.secondsSince1970 = secondsSince1970
      self.nanoseconds = nanoseconds
    } else {
      // The quotient is rounded towards the past with integers only: `rounded(.down)` would need the mathematics library.
      let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
      let carry = Int64(quotient) - (remainder < 0 ? 1 : 0)
      self.secondsSince1970 = secondsSince1970.addingClamped(carry)
      self.nanoseconds = Int32(Int64(nanoseconds) - carry * 1_000_000_000)
    }
  }

  /// 1970-01-01T00:00:00Z.
  public static let unixEpoch = Timestamp(secondsSince1970: 0)
}

extension Timestamp: Comparable {
  /// Whether the first is earlier than the second.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.secondsSince1970, left.nanoseconds) < (right.secondsSince1970, right.nanoseconds)
  }
}

extension Timestamp {
  /// Returns the instant `duration` later, or earlier if `duration` is negative.
  ///
  /// A sum beyond the range of `Int64` seconds is limited to it, so a server's extreme lifetime never traps.
  public static func + (timestamp: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.clampedComponents
    // The sum is less than two seconds in either direction. The initializer carries it over.
    let nanoseconds = timestamp.nanoseconds + Int32(attoseconds / 1_000_000_000)
    return Timestamp(secondsSince1970: timestamp.secondsSince1970.addingClamped(seconds), nanoseconds: nanoseconds)
  }

  /// Returns the instant `duration` earlier.
  public static func - (timestamp: Timestamp, duration: Duration) -> Timestamp {
    // The lowest duration of all has no negative.
    timestamp + (.zero - max(duration, .lowest))
  }

  /// Moves the instant `duration` later, or earlier if `duration` is negative.
  public static func += (timestamp: inout Timestamp, duration: Duration) { timestamp = timestamp + duration }

  /// Moves the instant `duration` earlier.
  public static func -= (timestamp: inout Timestamp, duration: Duration) { timestamp = timestamp - duration }

  /// Returns the time from `right` to `left`: positive when `left` is later.
  public static func - (left: Timestamp, right: Timestamp) -> Duration {
    let (seconds, overflow) = left.secondsSince1970.subtractingReportingOverflow(right.secondsSince1970)
    let whole = overflow ? (left.secondsSince1970 < 0 ? Int64.min : Int64.max) : seconds
    return .seconds(whole) + .nanoseconds(Int64(left.nanoseconds) - Int64(right.nanoseconds))
  }
}

extension Duration {
  fileprivate static let lowest = Duration(secondsComponent: .min, attosecondsComponent: 0)
  fileprivate static let highest = Duration(secondsComponent: .max, attosecondsComponent: 0)

  /// The ``components``, limited to seconds that fit into `Int64`, where ``components`` would trap.
  package var clampedComponents: (seconds: Int64, attoseconds: Int64) {
    self >= .highest ? (.max, 0) : self <= .lowest ? (.min, 0) : components
  }
}

extension Int64 {
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
