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

  /// Reads a day from words in lower case.
  ///
  /// - Returns: The day and how many words it took; `nil` if it is none.
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

  /// The number of a weekday, Monday being 0, by its name or the first three letters.
  static func weekday(_ word: String) -> Int? { index(of: word, in: weekdays) }

  /// The first such weekday after a day.
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

  /// The day, in the year that is named or else the next in which it comes.
  private static func date(_ month: Int, _ day: Int, _ year: Int?, _ today: CivilDate) -> CivilDate? {
    if let year { return CivilDate(year: year, month: month, day: day) }
    guard let date = CivilDate(year: today.year, month: month, day: day) else { return nil }
    return date < today ? CivilDate(year: today.year + 1, month: month, day: day) : date
  }
}
