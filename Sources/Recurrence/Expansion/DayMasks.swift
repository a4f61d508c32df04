// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// The days selected by the `BY` parts of a rule, by month.
///
/// The selected days of a year depend only on the weekday of 1 January and on the leap years around it. There are therefore
/// at most 28 kinds of years to compute.
struct DayMasks {
  private static let unknown = UInt32.max
  private static let kinds = 28

  /// Whether every day is selected.
  let isUnfiltered: Bool
  private let months: UInt32
  private let monthDays: UInt32
  private let lastMonthDays: UInt32
  private let yearDays: Set<Int>
  /// Bit 1 for the first week of a year.
  private let weekNumbers: UInt64
  /// Bit 1 for the last week of a year.
  private let lastWeekNumbers: UInt64
  private let weekStart: Int
  private let weekdays: UInt8
  private let ordinals: Set<Int>
  private let countsInMonth: Bool
  /// The masks by kind of year and month, computed on demand.
  private var masks: [UInt32] = []
  private var year = DayMasks.Year(0)

  init(_ rule: RecurrenceRule, start: CivilDate) {
    var (months, monthDays, byDay) = (rule.byMonth, rule.byMonthDay, rule.byDay)
    // RFC 5545 § 3.3.10: missing parts are taken from DTSTART.
    if rule.frequency >= .weekly, monthDays.isEmpty, rule.byYearDay.isEmpty, byDay.isEmpty {
      switch rule.frequency {
      case .weekly: byDay = [WeekdayNumber(start.weekday)]
      case .monthly: monthDays = [start.day]
      default:
        if !rule.byWeekNo.isEmpty {
          byDay = [WeekdayNumber(start.weekday)]
        } else {
          monthDays = [start.day]
          if months.isEmpty { months = [start.month] }
        }
      }
    }
    self.months = months.isEmpty ? ~0 : months.reduce(0) { $0 | 1 << $1 }
    self.monthDays = monthDays.reduce(0) { $0 | ($1 > 0 ? 1 << $1 : 0) }
    lastMonthDays = monthDays.reduce(0) { $0 | ($1 < 0 ? 1 << -$1 : 0) }
    yearDays = Set(rule.byYearDay)
    weekNumbers = rule.byWeekNo.reduce(0) { $0 | ($1 > 0 ? 1 << $1 : 0) }
    lastWeekNumbers = rule.byWeekNo.reduce(0) { $0 | ($1 < 0 ? 1 << -$1 : 0) }
    weekStart = rule.weekStart.rawValue
    weekdays = byDay.reduce(0) { $0 | ($1.ordinal == nil ? 1 << $1.weekday.rawValue : 0) }
    ordinals = Set(byDay.compactMap { day in day.ordinal.map { $0 * 8 + day.weekday.rawValue } })
    countsInMonth = rule.frequency == .monthly || !rule.byMonth.isEmpty
    isUnfiltered =
      months.isEmpty && monthDays.isEmpty && yearDays.isEmpty && rule.byWeekNo.isEmpty && byDay.isEmpty
  }
}

extension DayMasks {
  /// A year with the properties for determining its selected days.
  struct Year {
    let number: Int
    /// The days from 1970 to 1 January.
    let firstDay: Int
    /// The weekday of 1 January, where Sunday is 0.
    let weekday: Int
    let isLeap: Bool
    let kind: Int

    init(_ number: Int) {
      self.number = number
      let first = CivilDate(year: number, month: 1, day: 1) ?? .max
      firstDay = first.daysSince1970
      weekday = first.weekday.rawValue
      isLeap = Self.isLeap(number)
      let leap = isLeap ? 1 : Self.isLeap(number - 1) ? 2 : Self.isLeap(number + 1) ? 3 : 0
      kind = weekday * 4 + leap
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Returns the number of days of the year before a month.
    func daysBefore(_ month: Int) -> Int {
      // Five months from March on have 153 days, which makes the day of the year a linear function of the month.
      month <= 2 ? (month - 1) * 31 : (153 * month - 457) / 5 + (isLeap ? 60 : 59)
    }

    func length(of month: Int) -> Int { CivilDate.length(ofMonth: month, isLeap: isLeap) }
  }

  /// Returns the selected days of a month: bit 0 is the first day.
  mutating func mask(_ year: Year, _ month: Int, _ budget: inout SearchBudget) -> UInt32 {
    budget.spend()
    if isUnfiltered { return UInt32.max >> UInt32(32 - year.length(of: month)) }
    if months >> month & 1 == 0 { return 0 }
    if masks.isEmpty { masks = [UInt32](repeating: Self.unknown, count: Self.kinds * 12) }
    let index = year.kind * 12 + month - 1
    if masks[index] == Self.unknown {
      budget.spend(8)
      masks[index] = makeMask(year, month)
    }
    return masks[index]
  }

  /// Returns the first selected day on or after a day, or `nil` if there is none up to the month of the last, or the budget is spent.
  mutating func firstMatch(onOrAfter day: Int64, through last: Int64, _ budget: inout SearchBudget) -> Int64? {
    guard day <= last else { return nil }
    if isUnfiltered { return day }
    let date = CivilDate(daysSince1970: Int(day))
    if year.number != date.year { year = Year(date.year) }
    let rest = mask(year, date.month, &budget) >> (date.day - 1)
    if rest != 0 { return day + Int64(rest.trailingZeroBitCount) }
    var month = date.month + 1
    while true {
      if month > 12 {
        guard year.number < CivilDate.max.year else { return nil }
        month = 1
        year = Year(year.number + 1)
      }
      guard year.firstDay + year.daysBefore(month) <= last else { return nil }
      let mask = mask(year, month, &budget)
      if budget.isSpent { return nil }
      if mask != 0 { return Int64(year.firstDay + year.daysBefore(month) + mask.trailingZeroBitCount) }
      month += 1
    }
  }

  /// Whether `BYMONTH` allows every month.
  var admitsAllMonths: Bool { months == ~0 }

  /// Returns whether `BYMONTH` allows a month.
  func admits(month: Int) -> Bool { months >> month & 1 != 0 }

  private func makeMask(_ year: Year, _ month: Int) -> UInt32 {
    let length = year.length(of: month)
    let before = year.daysBefore(month)
    var left = UInt32.max >> UInt32(32 - length)
    if weekNumbers | lastWeekNumbers != 0 { left &= maskOfWeeks(year, before, length) }
    if weekdays != 0, ordinals.isEmpty { left &= maskOfWeekdays(from: (year.weekday + before) % 7) }
    var mask: UInt32 = 0
    while left != 0 {
      let day = left.trailingZeroBitCount + 1
      if selects(day, length, before + day, year) { mask |= 1 << (day - 1) }
      left &= left - 1
    }
    return mask
  }

  /// The days of a month in the weeks of `BYWEEKNO`.
  private func maskOfWeeks(_ year: Year, _ before: Int, _ length: Int) -> UInt32 {
    var mask: UInt32 = 0
    // The first week may have begun in the month before.
    var day = -((year.weekday + before - weekStart + 7) % 7)
    while day < length {
      if isInWeek(before + max(day, 0) + 1, year) { mask |= day < 0 ? 0x7F >> UInt32(-day) : 0x7F << UInt32(day) }
      day += 7
    }
    return mask
  }

  /// The days of a month on the weekdays of `BYDAY`.
  private func maskOfWeekdays(from first: Int) -> UInt32 {
    let week = UInt64(weekdays)
    return UInt32(truncatingIfNeeded: (week | week << 7 | week << 14 | week << 21 | week << 28 | week << 35) >> first)
  }

  /// Returns whether the rule selects a day.
  ///
  /// - Parameters:
  ///   - day: The day of the month.
  ///   - length: The number of days of the month.
  ///   - yearDay: The day of the year, from 1.
  private func selects(_ day: Int, _ length: Int, _ yearDay: Int, _ year: Year) -> Bool {
    let yearLength = year.isLeap ? 366 : 365
    if monthDays | lastMonthDays != 0, monthDays >> day & 1 == 0, lastMonthDays >> (length - day + 1) & 1 == 0 {
      return false
    }
    if !yearDays.isEmpty, !yearDays.contains(yearDay), !yearDays.contains(yearDay - yearLength - 1) { return false }
    if weekdays == 0, ordinals.isEmpty { return true }
    let weekday = (year.weekday + yearDay - 1) % 7
    if weekdays >> weekday & 1 != 0 { return true }
    if ordinals.isEmpty { return false }
    let (position, count) = countsInMonth ? (day, length) : (yearDay, yearLength)
    return ordinals.contains(((position - 1) / 7 + 1) * 8 + weekday)
      || ordinals.contains(-((count - position) / 7 + 1) * 8 + weekday)
  }

  /// Returns whether a day is in a week of `BYWEEKNO`.
  ///
  /// As in ISO 8601, week 1 is the first with at least four days in the year.
  private func isInWeek(_ yearDay: Int, _ year: Year) -> Bool {
    let first = Self.firstWeek((year.weekday - weekStart + 7) % 7)
    let length = year.isLeap ? 366 : 365
    let weeks = (length - first + 3) / 7
    var (number, count) = ((yearDay - 1 - first + 7) / 7, weeks)
    if number < 1 {
      let length = year.kind % 4 == 2 ? 366 : 365
      let first = Self.firstWeek((year.weekday - weekStart + 14 - (length - 364)) % 7)
      count = (length - first + 3) / 7
      number = count
    } else if number > weeks {
      let length = year.kind % 4 == 3 ? 366 : 365
      let first = Self.firstWeek((year.weekday + (year.isLeap ? 366 : 365) - weekStart + 7) % 7)
      count = (length - first + 3) / 7
      number = 1
    }
    return weekNumbers >> number & 1 != 0 || lastWeekNumbers >> (count - number + 1) & 1 != 0
  }

  /// Returns the first day of week 1, where 1 January is 0, for a year that begins `days` after the start of a week.
  private static func firstWeek(_ days: Int) -> Int { days <= 3 ? -days : 7 - days }
}
