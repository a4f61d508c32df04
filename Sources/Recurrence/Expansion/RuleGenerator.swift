// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// Generates the local times of a rule, in order, from `DTSTART` to the year 9999, without regard to `COUNT` and `UNTIL`.
///
/// It advances by periods: the years, months, weeks, days, hours, minutes or seconds selected by the interval. For each
/// period it lists the days, or the period itself if it is shorter than a day, and combines them with the times of day.
struct RuleGenerator {
  let frequency: RecurrenceRule.Frequency
  let interval: Int64
  /// The local time of `DTSTART`, in seconds.
  let start: Int64
  /// The times in seconds from the start of a day, or of a period below a day, ascending.
  let times: [Int64]
  /// `BYSETPOS` for periods of a week and longer.
  ///
  /// For shorter periods, ``times`` contains only the selected times.
  let positions: [Int]
  let limits: TimeLimits
  let weekdays: [Int64]
  var masks: DayMasks

  /// The next period: the year, the months since year 0, the first day of the week, the day, or seconds.
  var period: Int64
  let firstPeriod: Int64
  /// The bases of the current period, in seconds, to which ``times`` are added.
  var bases: [Int64] = []
  private var baseIndex = 0
  private var timeIndex = 0
  /// The indices in the current period selected by `BYSETPOS`.
  var picks: [Int] = []
  private var pickIndex = 0
  /// The earliest time to return.
  var floor: Int64
  /// The last day of the search.
  var lastDay = Int64(CivilDate.max.daysSince1970)
  private var isFinished = false
  /// The start of the last selected day, in seconds, for periods below a day.
  private var dayStart: Int64 = .max

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: The local time of `DTSTART`.
  ///   - isAllDay: Whether the series consists of whole days.
  ///   - budget: The work limit of the search.
  init(_ rule: RecurrenceRule, start: LocalDateTime, isAllDay: Bool, _ budget: inout SearchBudget) {
    frequency = rule.frequency
    interval = Int64(rule.interval)
    self.start = start.seconds
    floor = start.seconds
    let date = start.date
    masks = DayMasks(rule, start: date)
    limits = TimeLimits(rule, isAllDay: isAllDay)
    let all = TimeLimits.times(rule, start: start, isAllDay: isAllDay)
    budget.spend(all.count / 16)
    if rule.frequency <= .daily, !rule.bySetPos.isEmpty {
      times = Self.picks(rule.bySetPos, of: all.count).map { all[$0] }
      positions = []
    } else {
      times = all
      positions = rule.bySetPos
    }
    let weekStart = rule.weekStart.rawValue
    weekdays = (rule.byDay.isEmpty ? [date.weekday] : rule.byDay.map(\.weekday))
      .map { Int64(($0.rawValue - weekStart + 7) % 7) }.uniqued()
    let day = Int64(date.daysSince1970)
    firstPeriod =
      switch rule.frequency {
      case .yearly: Int64(date.year)
      case .monthly: Int64(date.year * 12 + date.month - 1)
      case .weekly: day - Int64((date.weekday.rawValue - weekStart + 7) % 7)
      case .daily: day
      case .hourly, .minutely, .secondly: start.seconds.floored(by: rule.frequency.unit) * rule.frequency.unit
      }
    period = firstPeriod
    if times.isEmpty || (frequency < .daily && !limits.canMeet(firstPeriod, step: interval * frequency.unit, &budget)) {
      isFinished = true
    }
  }
}

extension RuleGenerator {
  /// Returns the next local time, in seconds, or `nil` if there is none, or the budget is spent.
  mutating func next(_ budget: inout SearchBudget) -> Int64? {
    if isFinished { return nil }
    while true {
      if let time = nextOfPeriod() {
        if time < floor {
          budget.spend()
          continue
        }
        return time
      }
      guard !budget.isSpent, fill(&budget) else {
        isFinished = true
        return nil
      }
    }
  }

  private var isInPeriod: Bool { positions.isEmpty ? baseIndex < bases.count : pickIndex < picks.count }

  @inline(__always)
  private mutating func nextOfPeriod() -> Int64? {
    guard isInPeriod else { return nil }
    if positions.isEmpty {
      let time = bases[baseIndex] + times[timeIndex]
      timeIndex += 1
      if timeIndex == times.count { (timeIndex, baseIndex) = (0, baseIndex + 1) }
      return time
    }
    let (base, time) = picks[pickIndex].quotientAndRemainder(dividingBy: times.count)
    pickIndex += 1
    return bases[base] + times[time]
  }

  /// Returns the indices selected by positions among `count`, ascending.
  private static func picks(_ positions: [Int], of count: Int) -> [Int] {
    let picks = positions.map { $0 > 0 ? $0 - 1 : count + $0 }.filter { (0..<count).contains($0) }
    return picks.count > 1 ? picks.uniqued() : picks
  }
}

extension RuleGenerator {
  /// Lists the next period, which may be empty.
  ///
  /// - Returns: Whether there is a next period.
  private mutating func fill(_ budget: inout SearchBudget) -> Bool {
    bases.removeAll(keepingCapacity: true)
    (baseIndex, timeIndex, pickIndex) = (0, 0, 0)
    let isFilled =
      switch frequency {
      case .yearly: fillYear(&budget)
      case .monthly: fillMonth(&budget)
      case .weekly: fillWeek()
      case .daily: fillDays(&budget)
      case .hourly, .minutely, .secondly: fillTime(&budget)
      }
    budget.spend(1 + 2 * (bases.count + positions.count))
    if !positions.isEmpty { picks = Self.picks(positions, of: bases.count * times.count) }
    return isFilled
  }

  private var lastYear: Int64 { Int64(CivilDate(daysSince1970: Int(lastDay)).year) }

  private mutating func fillYear(_ budget: inout SearchBudget) -> Bool {
    guard period <= lastYear else { return false }
    let year = DayMasks.Year(Int(period))
    for month in 1...12 { append(year, month, &budget) }
    period += interval
    return true
  }

  private mutating func fillMonth(_ budget: inout SearchBudget) -> Bool {
    let year = period / 12
    guard year <= lastYear else { return false }
    append(DayMasks.Year(Int(year)), Int(period % 12) + 1, &budget)
    period += interval
    return true
  }

  private mutating func append(_ year: DayMasks.Year, _ month: Int, _ budget: inout SearchBudget) {
    var mask = masks.mask(year, month, &budget)
    guard mask != 0 else { return }
    let first = Int64(year.firstDay + year.daysBefore(month))
    while mask != 0 {
      append(day: first + Int64(mask.trailingZeroBitCount))
      mask &= mask - 1
    }
  }

  private mutating func fillWeek() -> Bool {
    guard period <= lastDay else { return false }
    for weekday in weekdays {
      let day = period + weekday
      guard day <= lastDay else { break }
      if masks.admits(month: CivilDate(daysSince1970: Int(day)).month) { append(day: day) }
    }
    period += 7 * interval
    return true
  }

  /// Lists the days of a month.
  private mutating func fillDays(_ budget: inout SearchBudget) -> Bool {
    guard let match = masks.firstMatch(onOrAfter: period, through: lastDay, &budget) else { return false }
    if match > period {
      period += (match - period).raised(by: interval) * interval
      guard period == match else { return true }
    }
    let date = CivilDate(daysSince1970: Int(period))
    let year = DayMasks.Year(date.year)
    let mask = masks.mask(year, date.month, &budget)
    var day = Int64(date.day)
    let first = period - day
    while day <= Int64(year.length(of: date.month)) {
      if mask >> (day - 1) & 1 != 0 { append(day: first + day) }
      day += interval
    }
    period = first + day
    return true
  }

  @inline(__always)
  private mutating func append(day: Int64) {
    let base = day * Seconds.ofDay
    // Positions count from the start of the period, even if the series starts within it.
    if !positions.isEmpty || base + Seconds.ofDay > floor { bases.append(base) }
  }

  /// Finds the next hour, minute or second.
  private mutating func fillTime(_ budget: inout SearchBudget) -> Bool {
    let step = interval * frequency.unit
    while true {
      budget.spend()
      if budget.isSpent { return false }
      if period < dayStart || period >= dayStart + Seconds.ofDay {
        let day = period.floored(by: Seconds.ofDay)
        guard let match = masks.firstMatch(onOrAfter: day, through: lastDay, &budget) else { return false }
        dayStart = match * Seconds.ofDay
        if match > day {
          advance(to: dayStart, step)
          continue
        }
      }
      guard let time = limits.first(onOrAfter: period - dayStart) else {
        advance(to: dayStart + Seconds.ofDay, step)
        continue
      }
      if dayStart + time > period {
        advance(to: dayStart + time, step)
        continue
      }
      bases.append(period)
      period += step
      return true
    }
  }

  /// Advances to the first period that starts at or after a time.
  private mutating func advance(to time: Int64, _ step: Int64) {
    period += (time - period).raised(by: step) * step
  }
}

extension RecurrenceRule.Frequency {
  /// The length of a period below a day, in seconds.
  var unit: Int64 {
    switch self {
    case .hourly: 3600
    case .minutely: 60
    default: 1
    }
  }
}

extension Array where Element: Hashable & Comparable {
  /// Returns the distinct elements, sorted.
  func uniqued() -> [Element] { Set(self).sorted() }
}
