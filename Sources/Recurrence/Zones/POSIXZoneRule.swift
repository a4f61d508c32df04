// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// Offsets that change on the same days of every year
/// ([RFC 8536 § 3.3](https://www.rfc-editor.org/rfc/rfc8536.html#section-3.3), and `TZ` of POSIX).
struct POSIXZoneRule: Sendable, Hashable {
  /// The time of the year at which summer time starts or ends.
  struct Change: Sendable, Hashable {
    enum Day: Sendable, Hashable {
      /// `Jn`: the day of the year, 1 to 365, without leap days.
      case julian(Int)
      /// `n`: days since 1 January, 0 to 365.
      case sinceNewYear(Int)
      /// `Mm.w.d`: a weekday of a week of a month; the fifth week is the last.
      case weekday(month: Int, week: Int, weekday: Int)
    }

    let day: Day
    /// Seconds since midnight, within a week in either direction.
    let time: Int64
  }

  struct SummerTime: Sendable, Hashable {
    let offset: Int64
    let start: Change
    let end: Change
  }

  let standardOffset: Int64
  let summerTime: SummerTime?
}

extension POSIXZoneRule {
  /// The segment that an instant is in.
  func segment(at instant: Int64) -> ZoneTable.Segment {
    guard let summerTime else {
      return ZoneTable.Segment(
        start: ZoneTable.distantPast, end: ZoneTable.distantFuture, offset: standardOffset)
    }
    let year = CivilDate(daysSince1970: Int(clamping: instant.floored(by: Seconds.ofDay))).year
    var changes: [(instant: Int64, offset: Int64)] = []
    // A change may lie a week outside of its year.
    for year in year - 2...year + 1 {
      guard let newYear = CivilDate(year: year, month: 1, day: 1) else { continue }
      changes.append((summerTime.start.local(newYear) - standardOffset, summerTime.offset))
      changes.append((summerTime.end.local(newYear) - summerTime.offset, standardOffset))
    }
    // Where summer time lasts all year, it starts again at the instant of its end.
    changes.sort {
      ($0.instant, $0.offset == summerTime.offset ? 1 : 0) < ($1.instant, $1.offset == summerTime.offset ? 1 : 0)
    }
    var segment = ZoneTable.Segment(
      start: ZoneTable.distantPast, end: ZoneTable.distantFuture, offset: standardOffset)
    for change in changes {
      if change.instant > instant {
        segment.end = change.instant
        break
      }
      segment = ZoneTable.Segment(start: change.instant, end: ZoneTable.distantFuture, offset: change.offset)
    }
    return segment
  }
}

extension POSIXZoneRule.Change {
  /// The local time of the change in the year that begins on a day.
  fileprivate func local(_ newYear: CivilDate) -> Int64 {
    let days: Int =
      switch day {
      case .julian(let number):
        newYear.daysSince1970 + number - 1 + (number >= 60 && newYear.isInLeapYear ? 1 : 0)
      case .sinceNewYear(let number): newYear.daysSince1970 + number
      case .weekday(let month, let week, let weekday):
        Self.day(year: newYear.year, month: month, week: week, weekday: weekday)
      }
    return Int64(days) * Seconds.ofDay + time
  }

  private static func day(year: Int, month: Int, week: Int, weekday: Int) -> Int {
    guard let first = CivilDate(year: year, month: month, day: 1) else { return 0 }
    let day = 1 + (weekday - first.weekday.rawValue + 7) % 7 + (week - 1) * 7
    let length = CivilDate.length(ofMonth: month, isLeap: first.isInLeapYear)
    return first.daysSince1970 + (day > length ? day - 7 : day) - 1
  }
}

extension CivilDate {
  var isInLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  static func length(ofMonth month: Int, isLeap: Bool) -> Int {
    month == 2 ? (isLeap ? 29 : 28) : (month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31)
  }
}
