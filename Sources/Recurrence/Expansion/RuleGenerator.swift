// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// Generates the local times of a rule, in order, from `DTSTART` to the year 9999.
///
/// It advances by periods: the years, months, weeks, days, hours, minutes or seconds that the interval selects. For each
/// period it lists the days, or the period itself if it is shorter than a day, and combines them with the times of day.
struct RuleGenerator {
  private let frequency: RecurrenceRule.Frequency
  private let interval: Int64
  /// The local time of `DTSTART`, in seconds.
  private let start: Int64
  /// The times in seconds from the start of a day, or of a period below a day, ascending.
  private let times: [Int64]
  /// `BYSETPOS` for periods of a week and longer.
  ///
  /// For shorter periods, ``times`` contains only the selected times.
  private let positions: [Int]
  private let limits: TimeLimits
  private let weekdays: [Int64]
  private var masks: DayMasks

  /// The next period: the year, the months since year 0, the first day of the week, the day, or seconds.
  private var period: Int64
  private let firstPeriod: Int64
  /// The bases of the current period, in seconds, to which ``times`` are added.
  private var bases: [Int64] = []
  private var baseIndex = 0
  private var timeIndex = 0
  /// The indices in the current period that `BYSETPOS` selects.
  private var picks: [Int] = []
  private var pickIndex = 0
  /// The earliest time to return.
  private var floor: Int64
  /// The last day of the search.
  private var lastDay = Int64(CivilDate.max.daysSince1970)
  /// The number of occurrences left by `COUNT`, or `nil` without one.
  private(set) var remaining: Int64?
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
    if case .count(let count) = rule.end { remaining = Int64(count) }
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
      remaining = 0
    }
  }
}

extension RuleGenerator {
  /// Returns the next local time, in seconds, or `nil` if there is none, or the budget is spent.
  mutating func next(_ budget: inout SearchBudget) -> Int64? {
    if remaining == 0 { return nil }
    while true {
      if let time = nextOfPeriod() {
        if time < floor {
          budget.spend()
          continue
        }
        remaining = remaining.map { $0 - 1 }
        return time
      }
      guard !budget.isSpent, fill(&budget) else {
        remaining = 0
        return nil
      }
    }
  }

  /// Counts `DTSTART` as an occurrence although it does not match the rule.
  mutating func countStart() { remaining = remaining.map { max(0, $0 - 1) } }

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

  /// Returns the indices that positions select among `count`, ascending.
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

extension RuleGenerator {
  /// Ends the search soon after a local time, so that a rule that never matches is not searched to the year 9999.
  mutating func end(after time: Int64) {
    lastDay = min(lastDay, LocalDateTime(unchecked: time).seconds.floored(by: Seconds.ofDay) + 1)
  }

  /// Skips the times before a local time in one step, if `COUNT` allows it.
  ///
  /// The generator may still return some earlier times.
  mutating func seek(to time: Int64) {
    guard remaining == nil || perPeriod != nil, time > start else { return }
    let (unit, position): (Int64, Int64)
    switch frequency {
    case .yearly: (unit, position) = (1, Int64(LocalDateTime(unchecked: time).date.year))
    case .monthly:
      let date = LocalDateTime(unchecked: time).date
      (unit, position) = (1, Int64(date.year * 12 + date.month - 1))
    case .weekly: (unit, position) = (7, time.floored(by: Seconds.ofDay))
    case .daily: (unit, position) = (1, time.floored(by: Seconds.ofDay))
    case .hourly, .minutely, .secondly: (unit, position) = (frequency.unit, time)
    }
    let skipped = (position - firstPeriod) / (unit * interval)
    // The first period may be incomplete and is counted separately.
    guard skipped > 1 else { return }
    if let perPeriod, let count = remaining {
      let (whole, overflow) = (skipped - 1).multipliedReportingOverflow(by: perPeriod)
      remaining = overflow ? 0 : max(0, count - inFirstPeriod - whole)
    }
    bases.removeAll(keepingCapacity: true)
    picks.removeAll(keepingCapacity: true)
    period = firstPeriod + skipped * unit * interval
    if remaining == nil { floor = max(floor, time) }
  }

  /// The number of occurrences of each period but the first, or `nil` if it varies.
  private var perPeriod: Int64? {
    guard positions.isEmpty else { return nil }
    switch frequency {
    case .yearly, .monthly: return nil
    case .weekly: return masks.admitsAllMonths ? Int64(weekdays.count * times.count) : nil
    case .daily: return masks.isUnfiltered ? Int64(times.count) : nil
    case .hourly, .minutely, .secondly: return masks.isUnfiltered && limits.isNone ? Int64(times.count) : nil
    }
  }
}

extension RuleGenerator {
  /// The number of occurrences in the first period from `DTSTART` on, if ``perPeriod`` is known.
  private var inFirstPeriod: Int64 {
    let bases =
      switch frequency {
      case .weekly: weekdays.map { (firstPeriod + $0) * Seconds.ofDay }
      case .daily: [firstPeriod * Seconds.ofDay]
      default: [firstPeriod]
      }
    return Int64(bases.reduce(0) { count, base in count + times.count { base + $0 >= start } })
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
