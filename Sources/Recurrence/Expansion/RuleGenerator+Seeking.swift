// SPDX-License-Identifier: Apache-2.0

import Timekeeping

extension RuleGenerator {
  /// Ends the search soon after a local time, so a rule that never matches is not searched to the year 9999.
  mutating func end(after time: Int64) {
    lastDay = min(lastDay, LocalDateTime(unchecked: time).seconds.floored(by: Seconds.ofDay) + 1)
  }

  /// Skips the times before a local time in one step.
  ///
  /// The generator may still return some earlier times.
  mutating func seek(to time: Int64) {
    guard skipPeriods(before: time) != nil else { return }
    floor = max(floor, time)
  }

  /// Skips periods before a local time in one step, if the number of their occurrences is known without a search.
  ///
  /// - Parameters:
  ///   - time: The local time. The generator may still return some earlier times.
  ///   - count: The number of occurrences after which the rule ends.
  ///   - table: The zone. Its gaps can give two local times the same instant.
  /// - Returns: The number of skipped occurrences, or `nil` if nothing was skipped.
  mutating func skip(to time: Int64, counting count: Int64, in table: ZoneTable, _ budget: inout SearchBudget) -> Int64?
  {
    guard let perPeriod, let skipped = skipPeriods(before: time) else { return nil }
    // The first period may be incomplete and is counted separately.
    let (whole, overflow) = (skipped - 1).multipliedReportingOverflow(by: perPeriod)
    // At least every second time is an occurrence of its own.
    if overflow || whole / 2 > count { return count }
    let first = periodBases.reduce(0) { sum, base in sum + times.count { base + $0 >= start } }
    return Int64(first) + whole - repetitions(in: table, &budget)
  }

  /// Skips periods before a local time, and returns their number, or `nil` if nothing was skipped.
  private mutating func skipPeriods(before time: Int64) -> Int64? {
    guard time > start else { return nil }
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
    guard skipped > 1 else { return nil }
    bases.removeAll(keepingCapacity: true)
    picks.removeAll(keepingCapacity: true)
    period = firstPeriod + skipped * unit * interval
    return skipped
  }

  /// The number of times of each period but the first, or `nil` if it varies.
  ///
  /// If it is known, the times repeat from period to period.
  private var perPeriod: Int64? {
    guard positions.isEmpty else { return nil }
    switch frequency {
    case .yearly, .monthly: return nil
    case .weekly: return masks.admitsAllMonths ? Int64(weekdays.count * times.count) : nil
    case .daily: return masks.isUnfiltered ? Int64(times.count) : nil
    case .hourly, .minutely, .secondly: return masks.isUnfiltered && limits.isNone ? Int64(times.count) : nil
    }
  }

  /// The bases of the first period, in seconds, if ``perPeriod`` is known.
  private var periodBases: [Int64] {
    switch frequency {
    case .weekly: weekdays.map { (firstPeriod + $0) * Seconds.ofDay }
    case .daily: [firstPeriod * Seconds.ofDay]
    default: [firstPeriod]
    }
  }

  /// Returns the number of times before the current period that a gap moves to another time of the rule.
  ///
  /// Call it only if ``perPeriod`` is known.
  private func repetitions(in table: ZoneTable, _ budget: inout SearchBudget) -> Int64 {
    let daysOrSeconds = frequency >= .daily ? Seconds.ofDay : 1
    let length =
      interval * (frequency == .weekly ? 7 * Seconds.ofDay : frequency == .daily ? Seconds.ofDay : frequency.unit)
    let end = period * daysOrSeconds
    let firsts = periodBases.flatMap { base in times.map { base + $0 } }
    let remainders = Set(firsts.map { $0.remainder(by: length) })
    budget.spend(firsts.count / 16)
    var (sum, moved, gapLength): (Int64, [Int64], Int64) = (0, [], 0)
    table.forEachGap(from: start, to: end) { gap in
      if gap.length != gapLength {
        gapLength = gap.length
        moved = firsts.filter { remainders.contains(($0 + gapLength).remainder(by: length)) }
        budget.spend(firsts.count / 16)
      }
      budget.spend(1 + moved.count / 16)
      let (low, high) = (max(gap.start, start), min(gap.end, end))
      for first in moved where high > low {
        sum += max(0, (high - first).raised(by: length)) - max(0, (low - first).raised(by: length))
      }
      return !budget.isSpent
    }
    return sum
  }
}
