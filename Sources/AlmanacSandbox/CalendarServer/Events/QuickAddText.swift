// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// A parser of `events.quickAdd` texts in simple English, such as `Lunch with Ana tomorrow 12:30` or `Dinner 7pm-9pm on Friday`.
///
/// It recognizes:
/// - Days: `today`, `tomorrow`, names of weekdays, `2026-11-23`, `11/23`, `November 23` and `23 November`
/// - Times: `12:30`, `7pm`, `7-9pm`, `from 7pm to 9pm`, `noon` and `midnight`
/// - Durations: `for 2 hours`, `for 30 minutes`
/// - Recurrence: `every Monday`, `every day`
/// - Locations: text after `at` that is not a time
///
/// Without a day, the event is at the next occurrence of the time. Without a time, it is an all-day event.
///
/// Not measured: Google documents neither the grammar nor the languages.
struct QuickAddText {
  private var words: [Substring]
  private let now: LocalDateTime
  private var day: CivilDate?
  private var start: Int?
  private var end: Int?
  private var minutes: Int?
  private var rule: String?
  private(set) var location: String?

  init(_ text: String, now: LocalDateTime) {
    words = text.split(whereSeparator: \.isWhitespace)
    self.now = now
    var rest: [Substring] = []
    while let word = words.first {
      if readDuration() || readRecurrence() || readDay() || readTime() { continue }
      rest.append(word)
      words.removeFirst()
    }
    if let index = rest.lastIndex(where: { $0.lowercased() == "at" }), index > 0, index + 1 < rest.count {
      location = rest[(index + 1)...].joined(separator: " ")
      rest = Array(rest[..<index])
    }
    words = rest
  }

  var summary: String { words.joined(separator: " ") }

  /// Returns the body of an event.
  func fields(in zone: Zone) -> [String: JSONValue] {
    var fields: [String: JSONValue] = ["summary": .string(summary)]
    fields["location"] = location.map { .string($0) }
    fields["recurrence"] = rule.map { [.string("RRULE:" + $0)] }
    let nowMinute = now.hour * 60 + now.minute
    guard let start else {
      let day = day ?? now.date
      fields["start"] = ["date": .string(day.description)]
      fields["end"] = ["date": .string(day.adding(days: 1).description)]
      return fields
    }
    let day = day ?? (start > nowMinute ? now.date : now.date.adding(days: 1))
    let length = minutes ?? end.map { $0 > start ? $0 - start : $0 - start + 1440 } ?? 60
    let first = zone.instant(day, minuteOfDay: start)
    for (name, instant) in [("start", first), ("end", first + .seconds(length * 60))] {
      fields[name] = ["dateTime": .string(zone.rfc3339(instant)), "timeZone": .string(zone.identifier)]
    }
    return fields
  }
}

// MARK: Reading

extension QuickAddText {
  /// Returns a word in lower case and without commas, or an empty string after the last one.
  private func word(_ index: Int) -> String {
    guard index < words.count else { return "" }
    return words[index].lowercased().filter { $0 != "," }
  }

  /// Reads `for 2 hours`, `for 30 minutes`.
  private mutating func readDuration() -> Bool {
    guard minutes == nil, word(0) == "for", let number = Double(word(1)), number > 0, number < 1000 else {
      return false
    }
    switch word(2) {
    case "h", "hour", "hours", "hrs": minutes = Int(number * 60)
    case "m", "min", "mins", "minute", "minutes": minutes = Int(number)
    default: return false
    }
    words.removeFirst(3)
    return true
  }

  /// Reads `every day`, `every Monday`.
  private mutating func readRecurrence() -> Bool {
    guard rule == nil, word(0) == "every" else { return false }
    if word(1) == "day" {
      rule = "FREQ=DAILY"
      words.removeFirst(2)
      return true
    }
    guard let weekday = QuickAddDay.weekday(word(1)) else { return false }
    rule = "FREQ=WEEKLY;BYDAY=\(QuickAddDay.codes[weekday])"
    day = QuickAddDay.next(weekday, from: now.date)
    words.removeFirst(2)
    return true
  }

  private mutating func readDay() -> Bool {
    guard day == nil else { return false }
    let hasPreposition = ["on", "this", "next"].contains(word(0))
    let offset = hasPreposition ? 1 : 0
    guard let found = QuickAddDay.read(word(offset), word(offset + 1), word(offset + 2), today: now.date) else {
      return false
    }
    day = found.day
    words.removeFirst(offset + found.words)
    return true
  }

  private mutating func readTime() -> Bool {
    guard start == nil else { return false }
    let hasPreposition = ["at", "from", "@"].contains(word(0))
    let offset = hasPreposition ? 1 : 0
    var text = word(offset)
    var count = offset + 1
    if ["am", "pm"].contains(word(count)) {
      text += word(count)
      count += 1
    }
    if ["-", "to", "until", "till"].contains(word(count)), !text.contains("-") {
      let other = word(count + 1) + (["am", "pm"].contains(word(count + 2)) ? word(count + 2) : "")
      if QuickAddTime(other, isNamed: true) != nil {
        count += ["am", "pm"].contains(word(count + 2)) ? 3 : 2
        text += "-" + other
      }
    }
    guard let times = QuickAddTime.range(text, isNamed: hasPreposition) else { return false }
    (start, end) = times
    words.removeFirst(count)
    return true
  }
}
