// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

extension RecurrenceRule {
  /// Whether the rule has several times of day, or times not derived from its start.
  var hasOwnTimes: Bool { frequency < .daily || !(byHour.isEmpty && byMinute.isEmpty && bySecond.isEmpty) }

  /// Whether the days follow from the start alone.
  private var hasDaysOfStart: Bool { byDay.isEmpty && byMonthDay.isEmpty && byYearDay.isEmpty && byWeekNo.isEmpty }

  /// Returns the rule moved by a number of days, or `nil` if no rule has exactly the moved days.
  ///
  /// Weeks move with their first day, so the days of a week stay together.
  ///
  /// - Parameter start: The day of the rule's start before the move.
  func moved(days: Int, from start: CivilDate) -> RecurrenceRule? {
    if days == 0 { return self }
    guard byYearDay.isEmpty, byWeekNo.isEmpty, byDay.allSatisfy({ $0.ordinal == nil }) else { return nil }
    switch frequency {
    case .monthly, .yearly:
      // A day of the month can move only if both it and the moved day exist in every month.
      guard byDay.isEmpty, bySetPos.isEmpty else { return nil }
      if byMonthDay.isEmpty { return Self.isCommon(start.day, moved: days) ? self : nil }
      guard byMonthDay.allSatisfy({ Self.isCommon($0, moved: days) }) else { return nil }
      return try? with { $0.byMonthDay = byMonthDay.map { $0 + days } }
    default:
      guard byMonth.isEmpty, byMonthDay.isEmpty else { return nil }
      return try? with {
        $0.byDay = byDay.map { .init($0.weekday.adding(days: days)) }
        $0.weekStart = weekStart.adding(days: days)
      }
    }
  }

  /// Whether both a day of the month and the moved day exist in every month.
  private static func isCommon(_ day: Int, moved days: Int) -> Bool {
    let bounds = day > 0 ? 1...28 : -28...(-1)
    return bounds.contains(day) && bounds.contains(day + days)
  }

  /// Returns the rule with explicit parts in place of those no longer derived from its start.
  ///
  /// - Parameters:
  ///   - implied: The time from which the missing parts follow.
  ///   - start: The start of the rule.
  func explicit(_ implied: LocalDateTime, at start: LocalDateTime) throws(RecurrenceError) -> RecurrenceRule {
    if implied == start { return self }
    return try with { rule in
      if frequency >= .daily, byHour.isEmpty, implied.hour != start.hour { rule.byHour = [implied.hour] }
      if frequency >= .hourly, byMinute.isEmpty, implied.minute != start.minute { rule.byMinute = [implied.minute] }
      if frequency >= .minutely, bySecond.isEmpty, implied.second != start.second { rule.bySecond = [implied.second] }
      let (day, startDay) = (implied.date, start.date)
      switch frequency {
      case .weekly where byDay.isEmpty && day.weekday != startDay.weekday: rule.byDay = [.init(day.weekday)]
      case .monthly where hasDaysOfStart && day.day != startDay.day: rule.byMonthDay = [day.day]
      case .yearly where hasDaysOfStart && (day.day != startDay.day || byMonth.isEmpty && day.month != startDay.month):
        rule.byMonthDay = [day.day]
        if byMonth.isEmpty { rule.byMonth = [day.month] }
      case .yearly where !byWeekNo.isEmpty && byDay.isEmpty && day.weekday != startDay.weekday:
        rule.byDay = [.init(day.weekday)]
      default: break
      }
    }
  }
}

extension Weekday {
  /// Returns the day of the week a number of days later.
  fileprivate func adding(days: Int) -> Weekday {
    Weekday(rawValue: ((rawValue + days) % 7 + 7) % 7) ?? self
  }
}
