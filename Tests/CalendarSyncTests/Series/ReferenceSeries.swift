// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync
import Foundation
import Recurrence
import TestSupport
import Timekeeping

/// A recurring event whose instances are found by looking at every day, with Foundation's time zones.
struct ReferenceSeries {
  /// The zones of random series, of which all but two change their clocks.
  static let zones = [
    "UTC", "Europe/Zurich", "America/New_York", "America/Chicago", "America/St_Johns", "Australia/Lord_Howe",
    "Australia/Sydney", "America/Santiago", "Africa/Cairo", "Asia/Kathmandu", "Pacific/Chatham", "Europe/Dublin",
  ]
  /// The number of days that are looked at.
  static let horizon = 800

  /// The days of a rule.
  enum Days {
    case daily(Int)
    case weekly(Int, Set<Int>)
    case monthDays(Int, [Int])
    case nthWeekday(Int, Int, Int)
    case yearly
  }

  /// A local time: days since 1970, and seconds since midnight.
  struct Local: Hashable, Comparable {
    var day: Int
    var second: Int

    static func < (left: Local, right: Local) -> Bool { (left.day, left.second) < (right.day, right.second) }

    func adding(days: Int, seconds: Int) -> Local {
      let sum = second + seconds
      let carried = Int((Double(sum) / 86_400).rounded(.down))
      return Local(day: day + days + carried, second: sum - carried * 86_400)
    }
  }

  struct Instance: Hashable {
    /// The local time in the series.
    var local: Local
    var start: Int64
    var end: Int64
    var summary: String
    var isCancelled = false
    var isAllDay: Bool
    /// The first field that differs from the series.
    var hasOwnSummary = false
    var hasOwnTime = false
  }

  var zone: String
  var isAllDay: Bool
  var start: Local
  var length: Int
  var days: Days
  /// The times of day, of which the first is that of the start.
  var times: [Int]
  var count: Int?
  /// The last local day.
  var until: Int?
  var excluded: Set<Local> = []

  /// The local times of the rule from the start on, without excluded ones.
  ///
  /// Two that stand for one instant are one.
  var locals: [Local] {
    var locals: [Local] = []
    var counted = 0
    var instants: Set<Int64> = []
    let excludedInstants = Set(excluded.map { instant($0) })
    for day in start.day..<(start.day + Self.horizon) {
      if let until, day > until { break }
      guard day == start.day || matches(day) else { continue }
      for time in times.sorted() {
        let local = Local(day: day, second: time)
        if local < start { continue }
        counted += 1
        if let count, counted > count { return locals }
        let instant = instant(local)
        if !excludedInstants.contains(instant), instants.insert(instant).inserted { locals.append(local) }
      }
    }
    return locals
  }

  private func matches(_ day: Int) -> Bool {
    let date = CivilDate(daysSince1970: day)
    let first = CivilDate(daysSince1970: start.day)
    switch days {
    case .daily(let interval): return (day - start.day) % interval == 0
    case .weekly(let interval, let weekdays):
      let monday = start.day - (first.weekday.rawValue + 6) % 7
      return (day - monday) / 7 % interval == 0 && weekdays.contains(date.weekday.rawValue)
    case .monthDays(let interval, let monthDays):
      let months = (date.year - first.year) * 12 + date.month - first.month
      return months % interval == 0 && monthDays.contains(date.day)
    case .nthWeekday(let interval, let number, let weekday):
      let months = (date.year - first.year) * 12 + date.month - first.month
      guard months % interval == 0, date.weekday.rawValue == weekday else { return false }
      if number > 0 { return (date.day - 1) / 7 + 1 == number }
      return CivilDate(daysSince1970: day + 7).month != date.month
    case .yearly: return date.month == first.month && date.day == first.day
    }
  }

  /// The line of the rule.
  var lines: [String] {
    let codes = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
    var rule: String
    switch days {
    case .daily(let interval): rule = "FREQ=DAILY;INTERVAL=\(interval)"
    case .weekly(let interval, let weekdays):
      rule = "FREQ=WEEKLY;INTERVAL=\(interval);BYDAY=\(weekdays.sorted().map { codes[$0] }.joined(separator: ","))"
    case .monthDays(let interval, let days):
      rule = "FREQ=MONTHLY;INTERVAL=\(interval);BYMONTHDAY=\(days.map { "\($0)" }.joined(separator: ","))"
    case .nthWeekday(let interval, let number, let weekday):
      rule = "FREQ=MONTHLY;INTERVAL=\(interval);BYDAY=\(number)\(codes[weekday])"
    case .yearly: rule = "FREQ=YEARLY"
    }
    if times.count > 1 {
      rule += ";BYHOUR=\(times.map { "\($0 / 3600)" }.joined(separator: ","))"
    }
    if let count { rule += ";COUNT=\(count)" }
    if let until {
      let date = CivilDate(daysSince1970: until).description.filter { $0 != "-" }
      rule += isAllDay ? ";UNTIL=\(date)" : ";UNTIL=\(Self.utc(instant(Local(day: until, second: 86_399))))"
    }
    var lines = ["RRULE:\(rule)"]
    for local in excluded.sorted() {
      let date = CivilDate(daysSince1970: local.day).description.filter { $0 != "-" }
      lines.append(
        isAllDay ? "EXDATE;VALUE=DATE:\(date)" : "EXDATE:\(Self.utc(instant(local)))")
    }
    return lines
  }

  private static func utc(_ instant: Int64) -> String {
    let text = OffsetDateTime(Timestamp(secondsSince1970: instant)).description
    return text.filter { $0 != "-" && $0 != ":" }
  }

  /// Returns the instant of a local time.
  func instant(_ local: Local) -> Int64 { Self.instant(local, isAllDay ? "UTC" : zone) }

  /// Returns the first instant of a local time; for a skipped one, that with the offset before the gap.
  static func instant(_ local: Local, _ zone: String) -> Int64 {
    let seconds = Int64(local.day) * 86_400 + Int64(local.second)
    guard let zone = TimeZone(identifier: zone) else { return seconds }
    func offset(_ instant: Int64) -> Int64 {
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
    }
    let offsets = [offset(seconds - 86_400), offset(seconds + 86_400)]
    for candidate in offsets where offset(seconds - candidate) == candidate { return seconds - candidate }
    return seconds - offsets[0]
  }

  /// Returns the local time of an instant.
  static func local(_ instant: Int64, _ zone: String) -> Local {
    let offset = TimeZone(identifier: zone)?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))) ?? 0
    return Local(day: 0, second: 0).adding(days: 0, seconds: Int(instant) + offset)
  }

  /// The instances without exceptions.
  var instances: [Instance] {
    locals.map { local in
      let start = instant(local)
      return Instance(local: local, start: start, end: start + Int64(length), summary: "Series", isAllDay: isAllDay)
    }
  }

  /// The event.
  var event: Event {
    Event {
      $0.id = "series"
      $0.etag = "\"1\""
      $0.status = .confirmed
      $0.summary = "Series"
      $0.recurrence = lines
      ($0.start, $0.end) = Self.times(instant(start), Int64(length), zone, isAllDay: isAllDay)
    }
  }

  static func times(
    _ start: Int64, _ length: Int64, _ zone: String, isAllDay: Bool
  ) -> (EventDateTime, EventDateTime) {
    func time(_ instant: Int64) -> EventDateTime {
      if isAllDay { return EventDateTime(date: CivilDate(daysSince1970: Int(instant / 86_400))) }
      let date = Date(timeIntervalSince1970: Double(instant))
      let offset = TimeZone(identifier: zone)?.secondsFromGMT(for: date) ?? 0
      let timestamp = Timestamp(secondsSince1970: instant)
      return EventDateTime(
        dateTime: OffsetDateTime(timestamp, offsetSeconds: offset) ?? OffsetDateTime(timestamp), timeZone: zone)
    }
    return (time(start), time(start + length))
  }
}

extension ReferenceSeries {
  /// Creates a random series.
  init(_ numbers: inout SeededNumbers) {
    func pick<Element>(_ elements: [Element]) -> Element { elements[Int.random(in: elements.indices, using: &numbers)] }
    zone = pick(Self.zones)
    isAllDay = Int.random(in: 0..<5, using: &numbers) == 0
    // From January 2024, so that every series meets changes of clocks.
    let day = 19_723 + Int.random(in: 0..<400, using: &numbers)
    let date = CivilDate(daysSince1970: day)
    let hour = pick([0, 1, 2, 2, 3, 7, 9, 12, 18, 23])
    let time = isAllDay ? 0 : hour * 3600 + pick([0, 0, 900, 1800])
    start = Local(day: day, second: time)
    // An event cannot start at a skipped time.
    if !isAllDay { start = Self.local(Self.instant(start, zone), zone) }
    length = isAllDay ? 86_400 * Int.random(in: 1...3, using: &numbers) : pick([900, 1800, 3600, 7200, 90_000])
    times = [start.second]
    let interval = Int.random(in: 1...3, using: &numbers)
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0...2:
      days = .daily(interval)
      if !isAllDay, hour < 12, Bool.random(using: &numbers) { times.append(start.second + 3600 * pick([1, 5, 9])) }
    case 3...5:
      let others = Set((0..<Int.random(in: 0...2, using: &numbers)).map { _ in Int.random(in: 0...6, using: &numbers) })
      days = .weekly(interval, others.union([date.weekday.rawValue]))
    case 6, 7:
      let other = Int.random(in: 1...28, using: &numbers)
      days = .monthDays(interval, Bool.random(using: &numbers) ? [date.day] : Array(Set([date.day, other])).sorted())
    case 8:
      let isLast = CivilDate(daysSince1970: day + 7).month != date.month
      days = .nthWeekday(interval, isLast ? -1 : (date.day - 1) / 7 + 1, date.weekday.rawValue)
    default: days = .yearly
    }
    switch Int.random(in: 0..<3, using: &numbers) {
    case 0: count = Int.random(in: 1...30, using: &numbers)
    case 1: until = day + Int.random(in: 0...500, using: &numbers)
    default: break
    }
    let locals = self.locals
    for _ in 0..<Int.random(in: 0...3, using: &numbers) {
      if locals.count > 1 { excluded.insert(pick(Array(locals.dropFirst().prefix(40)))) }
    }
  }
}
