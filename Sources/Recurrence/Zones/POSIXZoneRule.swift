// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// A rule for offsets that change on the same days of every year
/// ([RFC 8536 § 3.3](https://www.rfc-editor.org/rfc/rfc8536.html#section-3.3), and `TZ` of POSIX).
struct POSIXZoneRule: Sendable, Hashable {
  /// The time of the year at which summer time starts or ends.
  struct Change: Sendable, Hashable {
    enum Day: Sendable, Hashable {
      /// `Jn`: the day of the year, 1 to 365, without leap days.
      case julian(Int)
      /// `n`: the days since 1 January, 0 to 365, with leap days.
      case sinceNewYear(Int)
      /// `Mm.w.d`: a weekday of a week of a month.
      ///
      /// The fifth week is the last.
      case weekday(month: Int, week: Int, weekday: Int)
    }

    let day: Day
    /// The seconds since midnight, within a week in either direction.
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
  /// Returns the segment containing an instant.
  func segment(at instant: Int64) -> ZoneTable.Segment {
    guard let summerTime else {
      return ZoneTable.Segment(
        start: ZoneTable.distantPast, end: ZoneTable.distantFuture, offset: standardOffset)
    }
    let year = CivilDate(daysSince1970: Int(clamping: instant.floored(by: Seconds.ofDay))).year
    var changes: [(instant: Int64, offset: Int64)] = []
    // A change can be up to a week outside of its year.
    for year in year - 2...year + 1 {
      guard let newYear = CivilDate(year: year, month: 1, day: 1) else { continue }
      changes.append((summerTime.start.local(newYear) - standardOffset, summerTime.offset))
      changes.append((summerTime.end.local(newYear) - summerTime.offset, standardOffset))
    }
    // If summer time lasts all year, it starts again at the instant of its end.
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
  /// Returns the local time of the change in the year that begins on a day.
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

extension POSIXZoneRule {
  /// Reads a rule, or returns `nil` if the text is not a rule.
  ///
  /// Offsets are bounded by 24 hours, times of changes by 167 hours
  /// ([RFC 8536 § 3.3.1](https://www.rfc-editor.org/rfc/rfc8536.html#section-3.3.1)).
  init?(_ text: [UInt8]) {
    var reader = Reader(bytes: text)
    guard reader.skipName(), let standard = reader.time(hours: 24) else { return nil }
    standardOffset = -standard
    guard !reader.isAtEnd else {
      summerTime = nil
      return
    }
    guard reader.skipName() else { return nil }
    var offset = standardOffset + 3600
    if !reader.isAt(",") {
      guard let summer = reader.time(hours: 24) else { return nil }
      offset = -summer
    }
    guard let start = reader.change(), let end = reader.change(), reader.isAtEnd else { return nil }
    summerTime = SummerTime(offset: offset, start: start, end: end)
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position >= bytes.count }

    func isAt(_ character: Unicode.Scalar) -> Bool { !isAtEnd && bytes[position] == UInt8(ascii: character) }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard isAt(character) else { return false }
      position += 1
      return true
    }

    /// Reads past a name such as `CET` or `<+03>`.
    mutating func skipName() -> Bool {
      let start = position
      if skip("<") {
        while !isAtEnd, bytes[position].isLetter || bytes[position].isDigit || isAt("+") || isAt("-") { position += 1 }
        return position > start + 1 && skip(">")
      }
      while !isAtEnd, bytes[position].isLetter { position += 1 }
      return position >= start + 3
    }

    mutating func number(_ bounds: ClosedRange<Int>) -> Int? {
      var number: Int?
      while !isAtEnd, bytes[position].isDigit {
        number = (number ?? 0) * 10 + Int(bytes[position] - UInt8(ascii: "0"))
        guard let number, number <= bounds.upperBound else { return nil }
        position += 1
      }
      return number.flatMap { bounds.contains($0) ? $0 : nil }
    }

    /// Reads a time of the form `[+-]hh[:mm[:ss]]`.
    mutating func time(hours limit: Int) -> Int64? {
      let sign: Int64 = skip("-") ? -1 : 1
      if sign > 0 { _ = skip("+") }
      guard let hours = number(0...limit) else { return nil }
      var seconds = hours * 3600
      if skip(":") {
        guard let minutes = number(0...59) else { return nil }
        seconds += minutes * 60
        if skip(":") {
          guard let rest = number(0...59) else { return nil }
          seconds += rest
        }
      }
      return sign * Int64(seconds)
    }

    /// Reads a comma, a day, and an optional time of day, which defaults to 02:00.
    mutating func change() -> Change? {
      guard skip(","), let day = day() else { return nil }
      guard skip("/") else { return Change(day: day, time: 7200) }
      return time(hours: 167).map { Change(day: day, time: $0) }
    }

    private mutating func day() -> Change.Day? {
      if skip("J") { return number(1...365).map(Change.Day.julian) }
      guard skip("M") else { return number(0...365).map(Change.Day.sinceNewYear) }
      guard let month = number(1...12), skip("."), let week = number(1...5), skip("."), let weekday = number(0...6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
  }
}
