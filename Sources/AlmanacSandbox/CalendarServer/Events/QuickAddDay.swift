// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// A day in English: `tomorrow`, `friday`, `2026-11-23`, `11/23`, `november 23`, `23 november`.
enum QuickAddDay {
  static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// Parses a day from lowercase words.
  ///
  /// - Returns: The day and the number of words that were read, or `nil` if they name no day.
  static func read(_ first: String, _ second: String, _ third: String, today: CivilDate) -> (
    day: CivilDate, words: Int
  )? {
    switch first {
    case "today", "tonight": return (today, 1)
    case "tomorrow": return (today.adding(days: 1), 1)
    default: break
    }
    if let weekday = weekday(first) { return (next(weekday, from: today), 1) }
    if let date = try? CivilDate(rfc3339: first) { return (date, 1) }
    let slashed = first.split(separator: "/").map { Int($0) }
    if slashed.count == 2, let month = slashed[0], let day = slashed[1] {
      return date(month, day, nil, today).map { ($0, 1) }
    }
    let year = third.utf8.count == 4 ? Int(third) : nil
    if let month = month(first), let day = number(second) {
      return date(month, day, year, today).map { ($0, year == nil ? 2 : 3) }
    }
    if let day = number(first), let month = month(second) {
      return date(month, day, year, today).map { ($0, year == nil ? 2 : 3) }
    }
    return nil
  }

  /// Returns the number of a weekday, from 0 for Monday, by its name or first three letters.
  static func weekday(_ word: String) -> Int? { index(of: word, in: weekdays) }

  /// Returns the first such weekday after a day.
  static func next(_ weekday: Int, from today: CivilDate) -> CivilDate {
    // 1970-01-01 was a Thursday.
    let present = ((today.daysSince1970 + 3) % 7 + 7) % 7
    let days = (weekday - present + 7) % 7
    return today.adding(days: days == 0 ? 7 : days)
  }

  private static func month(_ word: String) -> Int? { index(of: word, in: months).map { $0 + 1 } }

  private static func index(of word: String, in names: [String]) -> Int? {
    names.firstIndex { $0 == word || (word.utf8.count == 3 && $0.hasPrefix(word)) }
  }

  /// `23`, `23rd`.
  private static func number(_ word: String) -> Int? {
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    return ["", "st", "nd", "rd", "th"].contains(word.dropFirst(digits.count)) ? Int(digits) : nil
  }

  /// Returns the day in the given year.
  ///
  /// Without a year, returns its next occurrence.
  private static func date(_ month: Int, _ day: Int, _ year: Int?, _ today: CivilDate) -> CivilDate? {
    if let year { return CivilDate(year: year, month: month, day: day) }
    guard let date = CivilDate(year: today.year, month: month, day: day) else { return nil }
    return date < today ? CivilDate(year: today.year + 1, month: month, day: day) : date
  }
}

/// A time of day in English: `12:30`, `7pm`, `7:15am`, `noon`.
struct QuickAddTime {
  /// Minutes after midnight.
  ///
  /// Without `am` or `pm`, the hour is in 24-hour format.
  private(set) var minute: Int
  /// Whether the time is unambiguous: it has `am` or `pm`, or is in 24-hour format.
  private let isDefinite: Bool

  /// - Parameter isNamed: Whether a preposition marks the text as a time. A number alone is then an hour.
  init?(_ text: String, isNamed: Bool) {
    switch text {
    case "noon": (minute, isDefinite) = (720, true)
    case "midnight": (minute, isDefinite) = (0, true)
    default:
      let half = ["am", "pm"].first { text.hasSuffix($0) }
      let parts = text.dropLast(half == nil ? 0 : 2).split(separator: ":", omittingEmptySubsequences: false)
      guard (1...2).contains(parts.count), parts.count == 2 || half != nil || isNamed,
        let hour = Self.number(parts[0]), let minutes = parts.count == 2 ? Self.number(parts[1]) : 0,
        (half == nil ? 0...23 : 1...12).contains(hour), (0...59).contains(minutes),
        parts.count == 1 || parts[1].utf8.count == 2
      else { return nil }
      minute = (half == nil ? hour : hour % 12 + (half == "pm" ? 12 : 0)) * 60 + minutes
      isDefinite = half != nil || parts.count == 2 || hour > 12
    }
  }

  /// Parses a time, or two times separated by `-`.
  static func range(_ text: String, isNamed: Bool) -> (start: Int, end: Int?)? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      return parts.count == 1 ? QuickAddTime(text, isNamed: isNamed).map { ($0.minute, nil) } : nil
    }
    guard var first = QuickAddTime(parts[0], isNamed: true),
      let last = QuickAddTime(parts[1], isNamed: isNamed || first.isDefinite)
    else { return nil }
    // 7-9pm: `pm` applies to both times.
    if !first.isDefinite, last.minute >= 720, first.minute + 720 < last.minute { first.minute += 720 }
    return (first.minute, last.minute)
  }

  private static func number(_ text: Substring) -> Int? {
    (1...2).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
