// SPDX-License-Identifier: Apache-2.0

/// Arithmetic of the proleptic Gregorian calendar, for years around 0 to 9999.
///
/// A year is counted from March, so the leap day is its last day. Days are counted from the March before year -400, so nothing
/// is negative.
enum Gregorian {
  /// Days since 1970 of 0000-01-01 and of 9999-12-31.
  static let firstDay = -719_528
  static let lastDay = 2_932_896

  /// The days from the March that starts year -400 to 1970-01-01.
  private static let epoch = 719_468 + 146_097

  @inline(__always)
  static func days(year: Int, month: Int, day: Int) -> Int {
    let beforeMarch = month < 3
    let years = UInt32(truncatingIfNeeded: year + 400 - (beforeMarch ? 1 : 0))
    let months = UInt32(truncatingIfNeeded: month + (beforeMarch ? 9 : -3))
    let yearDays = years &* 365 &+ years / 4 &- years / 100 &+ years / 400
    return Int(yearDays &+ (months &* 153 &+ 2) / 5) &+ day &- 1 &- epoch
  }

  @inline(__always)
  static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    // Four days a century day, then a four-year day: each division leaves the remainder for the next.
    let quarters = UInt32(truncatingIfNeeded: days &+ epoch) &* 4 &+ 3
    let century = quarters / 146_097
    let centuryQuarters = (quarters % 146_097) | 3
    let year = centuryQuarters / 1461
    let dayOfYear = (centuryQuarters % 1461) / 4
    // A day is 2141 / 65,536 of a month, close enough for every day of a year (Neri and Schneider, 2022).
    let months = dayOfYear &* 2141 &+ 197_913
    let afterDecember = dayOfYear >= 306
    return (
      Int(century &* 100 &+ year) &- 400 &+ (afterDecember ? 1 : 0),
      Int(months >> 16) &- (afterDecember ? 12 : 0), Int((months & 0xFFFF) / 2141 &+ 1)
    )
  }

  @inline(__always)
  static func days(inMonth month: Int, of year: Int) -> Int {
    if month == 2 { return isLeap(year) ? 29 : 28 }
    // 31 for January, March, May, July, and for August, October, December.
    return 30 | (month ^ (month >> 3)) & 1
  }

  @inline(__always)
  static func isLeap(_ year: Int) -> Bool {
    // A century year is a multiple of 100, which is one of 25 and of 4.
    year & (year % 25 == 0 ? 15 : 3) == 0
  }
}
