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
  /// The parts, which satisfy the restrictions.
  private(set) var parts: Parts

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
  ///   - byDay: `BYDAY`, numbered only in monthly and yearly rules, and not together with `BYWEEKNO`.
  ///   - byMonthDay: `BYMONTHDAY`, ±1 to ±31, not in weekly rules.
  ///   - byYearDay: `BYYEARDAY`, ±1 to ±366, not in daily and weekly rules.
  ///   - byWeekNo: `BYWEEKNO`, ±1 to ±53, only in yearly rules.
  ///   - byMonth: `BYMONTH`, 1 to 12.
  ///   - bySetPos: `BYSETPOS`, ±1 to ±366, only together with another `BY` part.
  ///   - weekStart: `WKST`. Defaults to Monday.
  /// - Throws: ``RecurrenceError``, which names the part.
  public init(
    _ frequency: Frequency, interval: Int = 1, end: End = .never, bySecond: [Int] = [], byMinute: [Int] = [],
    byHour: [Int] = [], byDay: [WeekdayNumber] = [], byMonthDay: [Int] = [], byYearDay: [Int] = [],
    byWeekNo: [Int] = [], byMonth: [Int] = [], bySetPos: [Int] = [], weekStart: Weekday = .monday
  ) throws(RecurrenceError) {
    parts = Parts(
      frequency: frequency, interval: interval, end: end, bySecond: bySecond, byMinute: byMinute, byHour: byHour,
      byDay: byDay, byMonthDay: byMonthDay, byYearDay: byYearDay, byWeekNo: byWeekNo, byMonth: byMonth,
      bySetPos: bySetPos, weekStart: weekStart)
    try check()
  }

  /// Returns the rule with other parts.
  ///
  /// ```swift
  /// let weekly = try RecurrenceRule(.weekly)
  /// let everySecondWeek = try weekly.with { $0.interval = 2 }
  /// ```
  ///
  /// - Parameter change: Changes the parts.
  /// - Throws: ``RecurrenceError``, which names the part, if the changed parts are not a rule.
  public func with(_ change: (inout Parts) -> Void) throws(RecurrenceError) -> RecurrenceRule {
    var rule = self
    change(&rule.parts)
    try rule.check()
    return rule
  }

  /// Returns the rule with another end.
  ///
  /// - Parameter end: `COUNT` or `UNTIL`, or `never` for neither.
  /// - Throws: ``RecurrenceError`` if the number of occurrences is not 1 to 1,000,000,000.
  public func ending(_ end: End) throws(RecurrenceError) -> RecurrenceRule { try with { $0.end = end } }
}

extension RecurrenceRule {
  /// `FREQ`: the unit of the interval.
  public var frequency: Frequency { parts.frequency }
  /// `INTERVAL`: the number of units from one recurrence to the next, 1 to 1,000,000,000.
  public var interval: Int { parts.interval }
  /// `COUNT` or `UNTIL`.
  public var end: End { parts.end }
  /// `BYSECOND`: 0 to 60, where 60 means 59.
  public var bySecond: [Int] { parts.bySecond }
  /// `BYMINUTE`: 0 to 59.
  public var byMinute: [Int] { parts.byMinute }
  /// `BYHOUR`: 0 to 23.
  public var byHour: [Int] { parts.byHour }
  /// `BYDAY`: days of the week, optionally numbered within a month or year.
  public var byDay: [WeekdayNumber] { parts.byDay }
  /// `BYMONTHDAY`: 1 to 31, or -31 to -1 from the month's end.
  public var byMonthDay: [Int] { parts.byMonthDay }
  /// `BYYEARDAY`: 1 to 366, or -366 to -1 from the year's end.
  public var byYearDay: [Int] { parts.byYearDay }
  /// `BYWEEKNO`: 1 to 53, or -53 to -1 from the year's end.
  public var byWeekNo: [Int] { parts.byWeekNo }
  /// `BYMONTH`: 1 to 12.
  public var byMonth: [Int] { parts.byMonth }
  /// `BYSETPOS`: the positions of the selected occurrences in each interval, 1 to 366, or -366 to -1 from its end.
  public var bySetPos: [Int] { parts.bySetPos }
  /// `WKST`: the day on which weeks start.
  public var weekStart: Weekday { parts.weekStart }
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

  /// The parts of a rule, which ``with(_:)`` changes.
  public struct Parts: Sendable, Hashable {
    /// `FREQ`: the unit of the interval.
    public var frequency: Frequency
    /// `INTERVAL`: the number of units from one recurrence to the next, 1 to 1,000,000,000.
    public var interval = 1
    /// `COUNT` or `UNTIL`.
    public var end = End.never
    /// `BYSECOND`: 0 to 60, where 60 means 59.
    public var bySecond: [Int] = []
    /// `BYMINUTE`: 0 to 59.
    public var byMinute: [Int] = []
    /// `BYHOUR`: 0 to 23.
    public var byHour: [Int] = []
    /// `BYDAY`: days of the week, optionally numbered within a month or year.
    public var byDay: [WeekdayNumber] = []
    /// `BYMONTHDAY`: 1 to 31, or -31 to -1 from the month's end.
    public var byMonthDay: [Int] = []
    /// `BYYEARDAY`: 1 to 366, or -366 to -1 from the year's end.
    public var byYearDay: [Int] = []
    /// `BYWEEKNO`: 1 to 53, or -53 to -1 from the year's end.
    public var byWeekNo: [Int] = []
    /// `BYMONTH`: 1 to 12.
    public var byMonth: [Int] = []
    /// `BYSETPOS`: the positions of the selected occurrences in each interval, 1 to 366, or -366 to -1 from its end.
    public var bySetPos: [Int] = []
    /// `WKST`: the day on which weeks start.
    public var weekStart = Weekday.monday
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
