// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// Constants for local times and instants in seconds since 1970.
enum Seconds {
  static let ofDay: Int64 = 86_400
  /// 0000-01-01T00:00:00.
  static let firstOfCalendar = Int64(CivilDate.min.daysSince1970) * ofDay
  /// 9999-12-31T23:59:59.
  static let lastOfCalendar = Int64(CivilDate.max.daysSince1970 + 1) * ofDay - 1
  /// An upper bound of offsets from UTC in either direction: 26 hours.
  static let largestOffset: Int64 = 93_600
}

extension Int64 {
  /// Returns the quotient rounded down.
  ///
  /// The divisor must be positive.
  @inline(__always)
  func floored(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return quotient * divisor > self ? quotient - 1 : quotient
  }

  /// Returns the quotient rounded up.
  ///
  /// The divisor must be positive.
  @inline(__always)
  func raised(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return quotient * divisor < self ? quotient + 1 : quotient
  }

  /// Returns the remainder of ``floored(by:)``, which is never negative.
  @inline(__always)
  func remainder(by divisor: Int64) -> Int64 {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
