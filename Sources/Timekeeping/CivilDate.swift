// SPDX-License-Identifier: Apache-2.0

/// A calendar day without time or zone, in the years 0000 to 9999 of the proleptic Gregorian calendar.
///
/// ```swift
/// let day = try CivilDate(rfc3339: "2026-02-28")
/// print(day.adding(days: 1))                              // 2026-03-01
/// ```
public struct CivilDate: Sendable, Hashable {
  private let packed: Int32

  /// The year, 0 to 9999.
  public var year: Int { Int(packed >> 9) }
  /// The month, 1 to 12.
  public var month: Int { Int(packed >> 5) & 0xF }
  /// The day of the month, 1 to 31.
  public var day: Int { Int(packed) & 0x1F }

  /// The first representable day, `0000-01-01`.
  public static let min = CivilDate(unchecked: 0, 1, 1)
  /// The last representable day, `9999-12-31`.
  public static let max = CivilDate(unchecked: 9999, 12, 31)

  /// Creates a date, or returns `nil` if there is no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1, day <= Gregorian.days(inMonth: month, of: year)
    else { return nil }
    self.init(unchecked: year, month, day)
  }

  init(unchecked year: Int, _ month: Int, _ day: Int) {
    packed = Int32(truncatingIfNeeded: year << 9 | month << 5 | day)
  }
}

extension CivilDate: Comparable {
  /// Whether the first is earlier than the second.
  public static func < (left: CivilDate, right: CivilDate) -> Bool { left.packed < right.packed }
}

extension CivilDate {
  /// Whole days since 1970-01-01, negative before it.
  public var daysSince1970: Int { Gregorian.days(year: year, month: month, day: day) }

  /// Creates the date `daysSince1970` days after 1970-01-01, limited to ``min`` and ``max``.
  public init(daysSince1970: Int) {
    let days = Swift.min(Swift.max(daysSince1970, Gregorian.firstDay), Gregorian.lastDay)
    let (year, month, day) = Gregorian.date(days: days)
    self.init(unchecked: year, month, day)
  }

  /// Returns the date `days` later, or earlier if `days` is negative, limited to ``min`` and ``max``.
  public func adding(days: Int) -> CivilDate {
    let (sum, overflow) = daysSince1970.addingReportingOverflow(days)
    return overflow ? (days < 0 ? .min : .max) : CivilDate(daysSince1970: sum)
  }

  /// Midnight at the start of the day in UTC.
  ///
  /// `start(in:)` of CalendarAPI returns the start of a user's day.
  public var startOfDayInUTC: Timestamp { Timestamp(secondsSince1970: Int64(daysSince1970) * 86_400) }
}

extension CivilDate {
  /// Parses `YYYY-MM-DD` ([RFC 3339 § 5.6](https://www.rfc-editor.org/rfc/rfc3339.html#section-5.6), full-date).
  ///
  /// - Throws: ``RFC3339ParseError``, with the fault and its UTF-8 offset.
  public init(rfc3339 text: borrowing String) throws(RFC3339ParseError) {
    self = try RFC3339.reading(text) { RFC3339.date($0) }
  }

  /// Parses a date from a part of a string.
  ///
  /// See ``init(rfc3339:)-(String)``.
  ///
  /// Offsets count from the start of the part.
  public init(rfc3339 text: borrowing Substring) throws(RFC3339ParseError) {
    self = try RFC3339.reading(text) { RFC3339.date($0) }
  }

  /// Parses a date from ASCII bytes.
  ///
  /// See ``init(rfc3339:)-(String)``.
  public init(rfc3339 text: Span<UInt8>) throws(RFC3339ParseError) {
    self = try RFC3339.date(text).get()
  }
}

extension CivilDate: CustomStringConvertible {
  /// `YYYY-MM-DD`.
  public var description: String { RFC3339.string(self) }

  /// Appends `YYYY-MM-DD`, without an intermediate string.
  public func appendRFC3339(to buffer: inout [UInt8]) {
    RFC3339.append(self, to: &buffer)
  }
}

extension CivilDate: Codable {
  /// Decodes the date from a single string, `YYYY-MM-DD`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeRFC3339 { try CivilDate(rfc3339: $0) }
  }

  /// Encodes the date as a single string, `YYYY-MM-DD`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A day of the week.
public enum Weekday: Int, Sendable, CaseIterable {
  /// Sunday.
  case sunday
  /// Monday.
  case monday
  /// Tuesday.
  case tuesday
  /// Wednesday.
  case wednesday
  /// Thursday.
  case thursday
  /// Friday.
  case friday
  /// Saturday.
  case saturday

  /// The name in English.
  package var englishName: String {
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][rawValue]
  }
}

extension CivilDate {
  /// The day of the week.
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday.
    Weekday(rawValue: ((daysSince1970 + 4) % 7 + 7) % 7) ?? .sunday
  }
}
