// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

extension RecurrenceRule {
  /// The parts of a rule, in the order in which they are written.
  enum Part: String, CaseIterable {
    case frequency = "FREQ"
    case until = "UNTIL"
    case count = "COUNT"
    case interval = "INTERVAL"
    case bySecond = "BYSECOND"
    case byMinute = "BYMINUTE"
    case byHour = "BYHOUR"
    case byDay = "BYDAY"
    case byMonthDay = "BYMONTHDAY"
    case byYearDay = "BYYEARDAY"
    case byWeekNo = "BYWEEKNO"
    case byMonth = "BYMONTH"
    case bySetPos = "BYSETPOS"
    case weekStart = "WKST"

    /// The allowed numbers.
    var bounds: ClosedRange<Int> {
      switch self {
      case .count, .interval: 1...1_000_000_000
      case .bySecond: 0...60
      case .byMinute: 0...59
      case .byHour: 0...23
      case .byMonth: 1...12
      case .byMonthDay: 1...31
      case .byYearDay, .bySetPos: 1...366
      case .byDay, .byWeekNo: 1...53
      case .frequency, .until, .weekStart: 0...0
      }
    }

    /// Whether the numbers of the part may be negative.
    ///
    /// Negative numbers count from the end.
    var isSigned: Bool {
      switch self {
      case .byDay, .byMonthDay, .byYearDay, .byWeekNo, .bySetPos: true
      default: false
      }
    }

    func admits(_ number: Int) -> Bool {
      bounds.contains(number) || (isSigned && number < 0 && number >= -bounds.upperBound)
    }
  }

  /// The lists of numbers.
  private var numbers: [(Part, [Int])] {
    [
      (.bySecond, bySecond), (.byMinute, byMinute), (.byHour, byHour), (.byDay, byDay.compactMap(\.ordinal)),
      (.byMonthDay, byMonthDay), (.byYearDay, byYearDay), (.byWeekNo, byWeekNo), (.byMonth, byMonth),
      (.bySetPos, bySetPos), (.interval, [interval]),
    ]
  }

  /// Checks the restrictions of [RFC 5545 § 3.3.10](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.10).
  func check() throws(RecurrenceError) {
    for (part, numbers) in numbers where !numbers.allSatisfy(part.admits) {
      throw RecurrenceError(.outOfRange(part.bounds, isSigned: part.isSigned), part: part)
    }
    if case .count(let count) = end, !Part.count.admits(count) {
      throw RecurrenceError(.outOfRange(Part.count.bounds, isSigned: false), part: .count)
    }
    if byDay.contains(where: { $0.ordinal != nil }) {
      guard frequency >= .monthly else { throw RecurrenceError(.ordinal(frequency), part: .byDay) }
      guard byWeekNo.isEmpty else { throw RecurrenceError(.ordinalWithWeekNumber, part: .byDay) }
    }
    if !byMonthDay.isEmpty, frequency == .weekly { throw RecurrenceError(.frequency(frequency), part: .byMonthDay) }
    // Google serves BYYEARDAY also in monthly rules, where it limits the days of the month.
    if !byYearDay.isEmpty, [.daily, .weekly].contains(frequency) {
      throw RecurrenceError(.frequency(frequency), part: .byYearDay)
    }
    if !byWeekNo.isEmpty, frequency != .yearly { throw RecurrenceError(.frequency(frequency), part: .byWeekNo) }
    if !bySetPos.isEmpty, byDay.isEmpty, numbers.allSatisfy({ [.bySetPos, .interval].contains($0.0) || $0.1.isEmpty }) {
      throw RecurrenceError(.positionAlone, part: .bySetPos)
    }
  }

  /// Checks the restrictions that depend on `DTSTART`.
  ///
  /// A start is a day, or a time in UTC or in a zone. A local `UNTIL`, which requires a local start, is therefore an error.
  func check(with start: SeriesTime) throws(RecurrenceError) {
    if start.isAllDay, frequency < .daily { throw RecurrenceError(.frequencyOfDays(frequency), part: .frequency) }
    if case .until(.local) = end { throw RecurrenceError(.localUntil(isAllDay: start.isAllDay), part: .until) }
  }
}

/// A value of `BYDAY`: a weekday, optionally numbered within its month or year (`weekdaynum` of
/// [RFC 5545 § 3.3.10](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.10)).
public struct WeekdayNumber: Sendable, Hashable {
  /// The number within the month or year, 1 to 53, or from its end, -1 to -53.
  ///
  /// `nil` stands for all such weekdays.
  public let ordinal: Int?
  /// The day of the week.
  public let weekday: Weekday

  /// Creates a value of `BYDAY`.
  ///
  /// - Parameters:
  ///   - weekday: The day of the week.
  ///   - ordinal: The number within the month or year. Negative numbers count from its end. Defaults to all such
  ///     weekdays.
  public init(_ weekday: Weekday, ordinal: Int? = nil) {
    self.weekday = weekday
    self.ordinal = ordinal
  }
}

extension WeekdayNumber: CustomStringConvertible {
  /// The iCalendar form, such as `MO`, `2MO` or `-1MO`.
  public var description: String { (ordinal.map(String.init) ?? "") + weekday.code }
}

extension Weekday {
  /// The two-letter iCalendar code.
  var code: String { Self.codes[rawValue] }

  static let codes = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
}
