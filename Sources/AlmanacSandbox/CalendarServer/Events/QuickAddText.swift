// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// A parser of `events.quickAdd` texts in simple English, such as `Lunch with Ana tomorrow 12:30` or `Dinner 7pm-9pm on Friday`.
///
/// It recognizes the first day and the first time:
/// - Days: `today`, `tomorrow`, names of weekdays and `2026-11-23`
/// - Times: `12:30`, `7pm`, `12:30-14:00`, `7pm-9pm` and `noon`
/// - Locations: text after `at` that is not a time
///
/// Without a day, the event is at the next occurrence of the time. Without a time, it is an all-day event.
///
/// Not measured: Google documents neither the grammar nor the languages.
struct QuickAddText {
  private let now: LocalDateTime
  private let day: CivilDate?
  /// The minutes after midnight.
  private let times: (start: Int, end: Int)?
  private let summary: String
  private let location: String?

  init(_ text: String, now: LocalDateTime) {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    day = Self.first(of: &words) { Self.day($0, from: now.date) }
    times = Self.first(of: &words, Self.times)
    if let at = words.lastIndex(where: { $0.lowercased() == "at" }), at > 0, at + 1 < words.count {
      location = words[(at + 1)...].joined(separator: " ")
      words.removeSubrange(at...)
    } else {
      location = nil
    }
    summary = words.joined(separator: " ")
    self.now = now
  }

  /// Returns the body of an event.
  func fields(in zone: Zone) -> [String: JSONValue] {
    var fields: [String: JSONValue] = ["summary": .string(summary)]
    fields["location"] = location.map { .string($0) }
    guard let times else {
      let day = day ?? now.date
      fields["start"] = ["date": .string(day.description)]
      fields["end"] = ["date": .string(day.adding(days: 1).description)]
      return fields
    }
    let day = day ?? (times.start > now.hour * 60 + now.minute ? now.date : now.date.adding(days: 1))
    let length = times.end > times.start ? times.end - times.start : times.end - times.start + 1440
    let first = zone.instant(day, minuteOfDay: times.start)
    for (name, instant) in [("start", first), ("end", first + .seconds(length * 60))] {
      fields[name] = ["dateTime": .string(zone.rfc3339(instant)), "timeZone": .string(zone.identifier)]
    }
    return fields
  }
}

extension QuickAddText {
  /// Removes the first word that has a value, with a preposition before it, and returns the value.
  private static func first<Value>(of words: inout [String], _ read: (String) -> Value?) -> Value? {
    for (index, word) in words.enumerated() {
      guard let value = read(word.lowercased()) else { continue }
      let hasPreposition = index > 0 && ["at", "next", "on", "this"].contains(words[index - 1].lowercased())
      words.removeSubrange((hasPreposition ? index - 1 : index)...index)
      return value
    }
    return nil
  }

  /// Returns the day of a lowercase word.
  ///
  /// A weekday is the first one after today, by its name or first three letters.
  private static func day(_ word: String, from today: CivilDate) -> CivilDate? {
    switch word {
    case "today": return today
    case "tomorrow": return today.adding(days: 1)
    default:
      let weekday = Weekday.allCases.first { day in
        let name = day.englishName.lowercased()
        return word == name || word == name.prefix(3)
      }
      guard let weekday else { return try? CivilDate(rfc3339: word) }
      return today.adding(days: (weekday.rawValue - today.weekday.rawValue + 6) % 7 + 1)
    }
  }

  /// Returns the times of a lowercase word.
  ///
  /// A time alone is the start of an hour.
  private static func times(_ word: String) -> (start: Int, end: Int)? {
    let minutes = word.split(separator: "-", omittingEmptySubsequences: false).map(minute)
    guard minutes.count <= 2, let start = minutes[0], let end = minutes.count == 2 ? minutes[1] : start + 60 else {
      return nil
    }
    return (start, end)
  }

  private static func minute(_ text: Substring) -> Int? {
    if text == "noon" { return 720 }
    let half = ["am", "pm"].first { text.hasSuffix($0) }
    let parts = text.dropLast(half == nil ? 0 : 2).split(separator: ":", omittingEmptySubsequences: false)
    let isNumber = { (part: Substring) in (1...2).contains(part.count) && part.allSatisfy { ("0"..."9").contains($0) } }
    guard parts.count == 2 || (parts.count == 1 && half != nil), parts.allSatisfy(isNumber), let hour = Int(parts[0]),
      let minute = parts.count == 2 ? Int(parts[1]) : 0, parts.count == 1 || parts[1].count == 2,
      (half == nil ? 0...23 : 1...12).contains(hour), minute < 60
    else { return nil }
    return (half == nil ? hour : hour % 12 + (half == "pm" ? 12 : 0)) * 60 + minute
  }
}
