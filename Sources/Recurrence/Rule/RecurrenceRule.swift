// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// A recurrence rule, the value of `RRULE`
/// ([RFC 5545 § 3.3.10](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.10)).
///
/// ```swift
/// let rule = try RecurrenceRule("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1")  // the last workday of each month
/// let sundays = try RecurrenceRule(.monthly, byDay: [.init(.sunday, ordinal: 1)])  // the first Sunday of each month
/// ```
///
/// A rule always satisfies the restrictions of the RFC, except those on `DTSTART`, which ``RecurrenceSet`` checks.
public struct RecurrenceRule: Sendable, Hashable {
  /// `FREQ`: the unit of the interval.
  public let frequency: Frequency
  /// `INTERVAL`: the number of units from one recurrence to the next, 1 to 1,000,000,000.
  public let interval: Int
  /// `COUNT` or `UNTIL`.
  public let end: End
  /// `BYSECOND`: 0 to 60, where 60 means 59.
  public let bySecond: [Int]
  /// `BYMINUTE`: 0 to 59.
  public let byMinute: [Int]
  /// `BYHOUR`: 0 to 23.
  public let byHour: [Int]
  /// `BYDAY`: days of the week, numbered within a month or year or not.
  public let byDay: [WeekdayNumber]
  /// `BYMONTHDAY`: 1 to 31, or -31 to -1 from the month's end.
  public let byMonthDay: [Int]
  /// `BYYEARDAY`: 1 to 366, or -366 to -1 from the year's end.
  public let byYearDay: [Int]
  /// `BYWEEKNO`: 1 to 53, or -53 to -1 from the year's end.
  public let byWeekNo: [Int]
  /// `BYMONTH`: 1 to 12.
  public let byMonth: [Int]
  /// `BYSETPOS`: the positions of the selected occurrences in each interval, 1 to 366, or -366 to -1 from its end.
  public let bySetPos: [Int]
  /// `WKST`: the day on which weeks start.
  public let weekStart: Weekday

  /// Creates a rule from its parts.
  ///
  /// The rule does not contain empty parts.
  ///
  /// - Parameters:
  ///   - frequency: `FREQ`.
  ///   - interval: `INTERVAL`, 1 to 1,000,000,000.
  ///   - end: `COUNT`, `UNTIL`, or neither.
  ///   - bySecond: `BYSECOND`, 0 to 60.
  ///   - byMinute: `BYMINUTE`, 0 to 59.
  ///   - byHour: `BYHOUR`, 0 to 23.
  ///   - byDay: `BYDAY`; numbered only in monthly and yearly rules, and not together with `BYWEEKNO`.
  ///   - byMonthDay: `BYMONTHDAY`, ±1 to ±31; not in weekly rules.
  ///   - byYearDay: `BYYEARDAY`, ±1 to ±366; not in daily, weekly and monthly rules.
  ///   - byWeekNo: `BYWEEKNO`, ±1 to ±53; only in yearly rules.
  ///   - byMonth: `BYMONTH`, 1 to 12.
  ///   - bySetPos: `BYSETPOS`, ±1 to ±366; only together with another `BY` part.
  ///   - weekStart: `WKST`. Defaults to Monday.
  /// - Throws: ``RecurrenceError``, which names the part.
  public init(
    _ frequency: Frequency, interval: Int = 1, end: End = .never, bySecond: [Int] = [], byMinute: [Int] = [],
    byHour: [Int] = [], byDay: [WeekdayNumber] = [], byMonthDay: [Int] = [], byYearDay: [Int] = [],
    byWeekNo: [Int] = [], byMonth: [Int] = [], bySetPos: [Int] = [], weekStart: Weekday = .monday
  ) throws(RecurrenceError) {
    self.frequency = frequency
    self.interval = interval
    self.end = end
    self.bySecond = bySecond
    self.byMinute = byMinute
    self.byHour = byHour
    self.byDay = byDay
    self.byMonthDay = byMonthDay
    self.byYearDay = byYearDay
    self.byWeekNo = byWeekNo
    self.byMonth = byMonth
    self.bySetPos = bySetPos
    self.weekStart = weekStart
    try check()
  }
}

extension RecurrenceRule {
  /// The unit of an interval, ordered from the shortest to the longest.
  public enum Frequency: String, Sendable, CaseIterable, Comparable {
    /// Each second.
    case secondly = "SECONDLY"
    /// Each minute.
    case minutely = "MINUTELY"
    /// Each hour.
    case hourly = "HOURLY"
    /// Each day.
    case daily = "DAILY"
    /// Each week.
    case weekly = "WEEKLY"
    /// Each month.
    case monthly = "MONTHLY"
    /// Each year.
    case yearly = "YEARLY"

    private var rank: Int {
      switch self {
      case .secondly: 0
      case .minutely: 1
      case .hourly: 2
      case .daily: 3
      case .weekly: 4
      case .monthly: 5
      case .yearly: 6
      }
    }

    /// Whether the first is shorter than the second.
    public static func < (left: Frequency, right: Frequency) -> Bool { left.rank < right.rank }
  }

  /// The end of a rule.
  public enum End: Sendable, Hashable {
    /// The rule has no end. Its occurrences stop at the year 9999.
    case never
    /// `COUNT`: the number of occurrences, counted from `DTSTART`, 1 to 1,000,000,000.
    case count(Int)
    /// `UNTIL`: the latest time of an occurrence, inclusive.
    case until(RecurrenceTime)
  }
}
