// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// The days that the `BY` parts of a rule select, a month at a time.
///
/// Which days of a year they are depends on nothing but the weekday of its first day and the leap years around it, so that no
/// more than 28 kinds of years are ever looked at.
struct DayMasks {
  private static let unknown = UInt32.max
  private static let kinds = 28

  /// Whether every day is selected.
  let isUnfiltered: Bool
  private let months: UInt32
  private let monthDays: UInt32
  private let lastMonthDays: UInt32
  private let yearDays: Set<Int>
  private let weekNumbers: Set<Int>
  private let weekStart: Int
  private let weekdays: UInt8
  private let ordinals: Set<Int>
  private let countsInMonth: Bool
  /// By kind of year and month; made as needed.
  private var masks: [UInt32] = []
  private var year = DayMasks.Year(0)

  init(_ rule: RecurrenceRule, start: CivilDate) {
    var (months, monthDays, byDay) = (rule.byMonth, rule.byMonthDay, rule.byDay)
    // RFC 5545 § 3.3.10: what the rule does not say is as in DTSTART.
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
    weekNumbers = Set(rule.byWeekNo)
    weekStart = rule.weekStart.rawValue
    weekdays = byDay.reduce(0) { $0 | ($1.ordinal == nil ? 1 << $1.weekday.rawValue : 0) }
    ordinals = Set(byDay.compactMap { day in day.ordinal.map { $0 * 8 + day.weekday.rawValue } })
    countsInMonth = rule.frequency == .monthly || !rule.byMonth.isEmpty
    isUnfiltered =
      months.isEmpty && monthDays.isEmpty && yearDays.isEmpty && weekNumbers.isEmpty && byDay.isEmpty
  }
}

extension DayMasks {
  /// A year with what its days depend on.
  struct Year {
    let number: Int
    /// Days since 1970 of 1 January.
    let firstDay: Int
    /// Of 1 January, Sunday being 0.
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

    /// Days of the year before a month.
    func daysBefore(_ month: Int) -> Int {
      // The days of the months before March, and from March on by the usual line of 153 days in five months.
      month <= 2 ? (month - 1) * 31 : (153 * month - 457) / 5 + (isLeap ? 60 : 59)
    }

    func length(of month: Int) -> Int { CivilDate.length(ofMonth: month, isLeap: isLeap) }
  }

  /// The days of a month that are selected: bit 0 for the first.
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

  /// The first day that is selected, on or after one; `nil` if there is none up to the month of the last, or the budget is spent.
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

  /// Whether `BYMONTH` leaves every month.
  var admitsAllMonths: Bool { months == ~0 }

  /// Whether `BYMONTH` leaves a month.
  func admits(month: Int) -> Bool { months >> month & 1 != 0 }

  private func makeMask(_ year: Year, _ month: Int) -> UInt32 {
    let length = year.length(of: month)
    let before = year.daysBefore(month)
    var mask: UInt32 = 0
    for day in 1...length where selects(day, length, before + day, year) { mask |= 1 << (day - 1) }
    return mask
  }

  /// - Parameters:
  ///   - day: The day of the month.
  ///   - length: The days of the month.
  ///   - yearDay: The day of the year, from 1.
  private func selects(_ day: Int, _ length: Int, _ yearDay: Int, _ year: Year) -> Bool {
    let yearLength = year.isLeap ? 366 : 365
    if monthDays | lastMonthDays != 0, monthDays >> day & 1 == 0, lastMonthDays >> (length - day + 1) & 1 == 0 {
      return false
    }
    if !yearDays.isEmpty, !yearDays.contains(yearDay), !yearDays.contains(yearDay - yearLength - 1) { return false }
    if !weekNumbers.isEmpty, !isInWeek(yearDay, year) { return false }
    if weekdays == 0, ordinals.isEmpty { return true }
    let weekday = (year.weekday + yearDay - 1) % 7
    if weekdays >> weekday & 1 != 0 { return true }
    if ordinals.isEmpty { return false }
    let (position, count) = countsInMonth ? (day, length) : (yearDay, yearLength)
    return ordinals.contains(((position - 1) / 7 + 1) * 8 + weekday)
      || ordinals.contains(-((count - position) / 7 + 1) * 8 + weekday)
  }

  /// Whether a day is in a week that `BYWEEKNO` names; the first of a year is that with its fourth day, ISO 8601's.
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
    return weekNumbers.contains(number) || weekNumbers.contains(number - count - 1)
  }

  /// The first day of week 1, from 0 for 1 January, in a year that begins so many days after the start of a week.
  private static func firstWeek(_ days: Int) -> Int { days <= 3 ? -days : 7 - days }
}
