// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// As much of [RFC 5545 § 3.3.10](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.10) as the sample calendars use:
/// `FREQ`, `INTERVAL`, `COUNT`, `UNTIL`, and `BYDAY` (with an ordinal in monthly rules).
struct RecurrenceRule: Sendable, Hashable {
  enum Frequency: String, Sendable {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  enum End: Sendable, Hashable {
    case never
    case count(Int)
    case day(CivilDate)
    case instant(Timestamp)
  }

  struct Day: Sendable, Hashable {
    /// Which one within the month, from its end when negative; 0 for each.
    let ordinal: Int
    let weekday: Weekday
  }

  let frequency: Frequency
  private(set) var interval = 1
  private(set) var end = End.never
  private(set) var days: [Day] = []

  /// Reads a rule without its `RRULE:`; `nil` for one that is beyond the sandbox.
  init?(_ text: String) {
    var parts: [String: String] = [:]
    for part in text.split(separator: ";") {
      let pair = part.split(separator: "=")
      guard pair.count == 2, parts.updateValue(String(pair[1]), forKey: String(pair[0])) == nil else { return nil }
    }
    guard let frequency = parts.removeValue(forKey: "FREQ").flatMap(Frequency.init) else { return nil }
    self.frequency = frequency
    for (name, value) in parts {
      switch name {
      case "INTERVAL":
        guard let number = Int(value), number > 0 else { return nil }
        interval = number
      case "COUNT":
        guard let number = Int(value), number > 0, parts["UNTIL"] == nil else { return nil }
        end = .count(number)
      case "UNTIL":
        guard let end = Self.until(value) else { return nil }
        self.end = end
      case "BYDAY":
        for item in value.split(separator: ",") {
          guard let weekday = Weekday(code: item.suffix(2)) else { return nil }
          let ordinal = item.dropLast(2)
          guard ordinal.isEmpty || (frequency == .monthly && Int(ordinal) != nil) else { return nil }
          days.append(Day(ordinal: Int(ordinal) ?? 0, weekday: weekday))
        }
      default: return nil
      }
    }
    if frequency == .yearly, !days.isEmpty { return nil }
  }

  private static func until(_ text: String) -> End? {
    let digits = Array(text)
    guard digits.count >= 8 else { return nil }
    let date = "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))"
    if digits.count == 8 { return (try? CivilDate(rfc3339: date)).map(End.day) }
    guard digits.count == 16, digits[8] == "T" else { return nil }
    let time = "\(String(digits[9..<11])):\(String(digits[11..<13])):\(String(digits[13..<15]))\(digits[15])"
    return (try? Timestamp(rfc3339: "\(date)T\(time)")).map(End.instant)
  }
}

extension RecurrenceRule {
  /// Returns the days on which a series that begins with `start` takes place, in order.
  ///
  /// - Parameters:
  ///   - start: When the first instance starts.
  ///   - zone: The calendar's zone.
  ///   - last: The last day to look at.
  func occurrences(from start: Moment, in zone: Zone, through last: CivilDate) -> [CivilDate] {
    var found: [CivilDate] = []
    var period = 0
    let first = start.date
    while true {
      let candidates = candidates(inPeriod: period, from: first)
      period += 1
      guard candidates.earliest <= last else { return found }
      for date in candidates.dates where date >= first {
        guard date <= last else { return found }
        switch end {
        case .never: break
        case .count(let count): guard found.count < count else { return found }
        case .day(let end): guard date <= end else { return found }
        case .instant(let end):
          guard start.adding(days: date.daysSince1970 - first.daysSince1970).instant(in: zone) <= end else {
            return found
          }
        }
        found.append(date)
      }
    }
  }

  /// The days of one period, and a day that none of them and none of a later period comes before.
  private func candidates(inPeriod period: Int, from first: CivilDate) -> (earliest: CivilDate, dates: [CivilDate]) {
    switch frequency {
    case .daily:
      let date = first.adding(days: period * interval)
      return (date, days.isEmpty || days.contains { $0.weekday == date.weekday } ? [date] : [])
    case .weekly:
      let monday = first.adding(days: period * interval * 7 - (first.weekday.rawValue + 6) % 7)
      let offsets = days.isEmpty ? [first.weekday] : days.map(\.weekday)
      return (monday, offsets.map { ($0.rawValue + 6) % 7 }.sorted().map { monday.adding(days: $0) })
    case .monthly:
      let months = first.year * 12 + first.month - 1 + period * interval
      guard let month = CivilDate(year: months / 12, month: months % 12 + 1, day: 1) else { return (.max, []) }
      guard !days.isEmpty else {
        return (month, [CivilDate(year: month.year, month: month.month, day: first.day)].compactMap(\.self))
      }
      return (month, days.flatMap { dates(of: $0, in: month) }.sorted())
    case .yearly:
      let year = first.year + period * interval
      guard let begin = CivilDate(year: year, month: 1, day: 1) else { return (.max, []) }
      return (begin, [CivilDate(year: year, month: first.month, day: first.day)].compactMap(\.self))
    }
  }

  private func dates(of day: Day, in month: CivilDate) -> [CivilDate] {
    let all = (0..<31).map { month.adding(days: $0) }.filter { $0.month == month.month && $0.weekday == day.weekday }
    if day.ordinal == 0 { return all }
    let index = day.ordinal > 0 ? day.ordinal - 1 : all.count + day.ordinal
    return all.indices.contains(index) ? [all[index]] : []
  }
}
