// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation
import Recurrence
import Timekeeping

/// Series of forty years in Zürich, compared with a walk over each day.
enum RecurrenceRows {
  static var rows: [Row] {
    get throws {
      [
        try row("E1 weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR") { (1...5).contains($0.weekday.rawValue) },
        try row("E2 last workday of each month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1") { date in
          (1...5).contains(date.weekday.rawValue)
            && !(1...6).contains { day in
              let next = date.adding(days: day)
              return next.month == date.month && (1...5).contains(next.weekday.rawValue)
            }
        },
        try row("E3 Friday the 13th", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13") { $0.day == 13 && $0.weekday == .friday },
        try row("E4 weekdays, the last week", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", fromDay: days - 7) {
          (1...5).contains($0.weekday.rawValue)
        },
        try row("E5 Monday of week 20", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO") { date in
          // A week belongs to the year of its Thursday, and the first of a year has the first Thursday.
          let thursday = date.adding(days: 3)
          guard date.weekday == .monday, let first = CivilDate(year: thursday.year, month: 1, day: 1) else {
            return false
          }
          return (thursday.daysSince1970 - first.daysSince1970) / 7 + 1 == 20
        },
      ]
    }
  }

  private static let days = 40 * 365

  /// - Parameter fromDay: The first day to include, in days from the start of the series.
  private static func row(
    _ name: String, _ rule: String, fromDay: Int = 0, matches: @escaping (CivilDate) -> Bool
  ) throws -> Row {
    let zone = try SystemZoneDatabase.shared.zone("Europe/Zurich")
    let first = try CivilDate(rfc3339: "2026-01-01")
    guard let start = LocalDateTime(first, hour: 9) else { throw Failure("09:00 is no time.") }
    var series = try RecurrenceSet(start: .local(start, zone), rules: [RecurrenceRule(rule)])
    series.includesStart = false
    let ours = { (use: (Int64) -> Void) in
      for occurrence in series.occurrences(from: first.adding(days: fromDay), to: first.adding(days: days)) {
        use(occurrence.timestamp.secondsSince1970)
      }
    }
    let walk = { (use: (Int64) -> Void) in
      for day in 0..<days {
        let date = first.adding(days: day)
        guard matches(date), day >= fromDay, let local = LocalDateTime(date, hour: 9) else { continue }
        use(zone.timestamp(of: local).secondsSince1970)
      }
    }
    let calendar = foundationCalendar
    let foundation = { (use: (Int64) -> Void) in
      guard var date = calendar.date(from: DateComponents(year: 2026, month: 1, day: 1, hour: 9)) else { return }
      for day in 0..<days {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        if let civil = CivilDate(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0), day >= fromDay,
          matches(civil)
        {
          use(Int64(date.timeIntervalSince1970))
        }
        date = calendar.date(byAdding: .day, value: 1, to: date) ?? date
      }
    }
    var expected: [Int64] = []
    walk { expected.append($0) }
    func contender(_ name: String, _ expand: @escaping ((Int64) -> Void) -> Void) -> Contender {
      Contender(
        name, items: expected.count,
        check: {
          var found: [Int64] = []
          expand { found.append($0) }
          return found == expected ? nil : "\(found.count) occurrences instead of \(expected.count)"
        },
        {
          var sum: Int64 = 0
          expand { sum &+= $0 }
          return Int(truncatingIfNeeded: sum)
        })
    }
    return Row(
      "recurrence", name, ours: contender("occurrences", ours),
      baselines: [contender("day by day", walk), contender("day by day, Foundation", foundation)])
  }

  private static var foundationCalendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "Europe/Zurich") ?? .gmt
    return calendar
  }
}
