// SPDX-License-Identifier: Apache-2.0

package import Recurrence
package import Timekeeping

/// A day or a time entered by the user.
package enum WrittenTime: Sendable, Hashable {
  case day(CivilDate)
  case time(OffsetDateTime)
}

/// A parser for days and times entered by users, in a time zone.
package struct TimeReader: Sendable {
  /// The current time, for `now`, `today` and weekdays.
  package let now: Timestamp
  /// The zone of days, and of times without an offset.
  package let zone: Zone

  package init(now: Timestamp, zone: Zone) {
    self.now = now
    self.zone = zone
  }

  /// Today in the zone.
  package var today: CivilDate { zone.local(at: now).date }

  /// Examples of the input for ``read(_:on:)``, for help and messages.
  static let forms = "2026-11-23, 2026-11-23T08:00, tomorrow, \"monday 9:00\", \"friday 3pm\", \"in 2 hours\" or now"

  /// Returns the day or time named by a text, or `nil` if it names none.
  ///
  /// - Parameters:
  ///   - text: A day (`today`, `tomorrow`, `yesterday`, a weekday or a date), a time with or without an offset, a day and a time, or
  ///     `now`, or a time from now, such as `in 2 hours` or `in 3 days`. A weekday, and `next` with a weekday, is the next one after
  ///     today.
  ///   - day: The day of a time without a day, and the earliest day for a weekday, such as the start of a span. Defaults to today.
  package func read(_ text: String, on day: CivilDate? = nil) -> WrittenTime? {
    var words = text.lowercased().split(separator: " ").filter { $0 != "at" }
    if words == ["now"] { return written(now).map(WrittenTime.time) }
    if words.first == "in" { return fromNow(words.dropFirst()) }
    if words.first == "next", words.count > 1, weekday(String(words[1])) != nil { words.removeFirst() }
    if words.count > 1, ["am", "pm"].contains(words[words.count - 1]) {
      let half = words.removeLast()
      words[words.count - 1] += half
    }
    guard (1...2).contains(words.count) else { return nil }
    let (first, rest) = words.count == 2 ? (String(words[0]), String(words[1])) : Self.parts(String(words[0]))
    let day = day ?? today
    guard let rest else { return date(first, from: day).map(WrittenTime.day) ?? time(first, on: day) }
    return date(first, from: day).flatMap { time(rest, on: $0) }
  }

  /// Returns an instant with the zone's offset.
  package func written(_ instant: Timestamp) -> OffsetDateTime? {
    OffsetDateTime(instant, offsetSeconds: zone.offset(at: instant)) ?? OffsetDateTime(instant)
  }

  /// Returns the first instant of a day in the zone.
  package func start(of day: CivilDate) -> Timestamp { zone.start(of: day) }

  /// Returns the time of a number of minutes or hours, or the day of a number of days or weeks, from now: `2 hours`, `1h30m`, `3 days`.
  private func fromNow(_ words: ArraySlice<Substring>) -> WrittenTime? {
    let units = ["minute": "m", "min": "m", "hour": "h", "day": "d", "week": "w"]
    var duration = ""
    for word in words where word != "and" {
      let unit = word.hasSuffix("s") ? word.dropLast() : word
      duration += units[String(unit)] ?? (word == "an" || word == "a" ? "1" : String(word))
    }
    guard let length = WrittenDuration(duration) else { return nil }
    let isDays = duration.allSatisfy { $0.isNumber || $0 == "d" || $0 == "w" }
    if isDays, let days = length.days { return .day(today.adding(days: days)) }
    return written(now + .seconds(length.seconds)).map(WrittenTime.time)
  }

  /// Returns the weekday with a name, such as `friday` or `fri`.
  private func weekday(_ word: String) -> Weekday? {
    Weekday.allCases.first { day in
      let name = day.englishName.lowercased()
      return word == name || word == name.prefix(3)
    }
  }

  /// Returns the parts before and after the `t` of RFC 3339.
  private static func parts(_ text: String) -> (String, String?) {
    if text.first?.isNumber == true, let separator = text.firstIndex(of: "t") {
      return (String(text[..<separator]), String(text[text.index(after: separator)...]))
    }
    return (text, nil)
  }

  private func date(_ word: String, from day: CivilDate) -> CivilDate? {
    switch word {
    case "today": return today
    case "tomorrow": return today.adding(days: 1)
    case "yesterday": return today.adding(days: -1)
    default: break
    }
    if let weekday = self.weekday(word) {
      let first = max(day, today.adding(days: 1))
      return (0...6).lazy.map { first.adding(days: $0) }.first { $0.weekday == weekday }
    }
    return try? CivilDate(rfc3339: word)
  }

  /// Returns the time of a text such as `8:00`, `3pm`, `3:30pm`, `08:00:30`, `08:00z` or `08:00+01:00`.
  private func time(_ text: String, on day: CivilDate) -> WrittenTime? {
    var clock = Substring(text)
    var offset: Int?
    if clock.hasSuffix("am") || clock.hasSuffix("pm") {
      let isAfternoon = clock.hasSuffix("pm")
      clock = clock.dropLast(2)
      guard let (hour, minute, second) = Self.clock(clock.contains(":") ? clock : clock + ":00"),
        (1...12).contains(hour),
        let local = LocalDateTime(day, hour: hour % 12 + (isAfternoon ? 12 : 0), minute: minute, second: second)
      else { return nil }
      return written(zone.timestamp(of: local)).map(WrittenTime.time)
    }
    if clock.last == "z" {
      (offset, clock) = (0, clock.dropLast())
    } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      guard let (hours, minutes, _) = Self.clock(clock[clock.index(after: sign)...]) else { return nil }
      offset = (hours * 3600 + minutes * 60) * (clock[sign] == "-" ? -1 : 1)
      clock = clock[..<sign]
    }
    guard let (hour, minute, second) = Self.clock(clock),
      let local = LocalDateTime(day, hour: hour, minute: minute, second: second)
    else { return nil }
    if let offset {
      return OffsetDateTime(local.timestampInUTC - .seconds(offset), offsetSeconds: offset).map(WrittenTime.time)
    }
    return written(zone.timestamp(of: local)).map(WrittenTime.time)
  }

  /// Returns the hour, minute and second of two or three numbers separated by colons.
  private static func clock(_ text: Substring) -> (hour: Int, minute: Int, second: Int)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      (1...2).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24, numbers[1] < 60 else {
      return nil
    }
    return (numbers[0], numbers[1], numbers.count == 3 ? numbers[2] : 0)
  }
}

/// A duration entered by the user: numbers with the unit `w`, `d`, `h` or `m`, such as `90m`, `1h30m` and `2d`.
package struct WrittenDuration: Sendable, Hashable {
  /// The length in seconds, if every day has 24 hours.
  package let seconds: Int
  /// The days in the units `w` and `d`.
  ///
  /// After a time, these are days of the calendar.
  private let calendarDays: Int

  /// Examples of a duration, for help and messages.
  static let forms = "90m, 1h30m or 2d"

  /// Creates a duration from a text.
  ///
  /// Returns `nil` if the text is not a duration, or if it exceeds 100 years.
  package init?(_ text: String) {
    var rest = text.lowercased()[...]
    var (sum, days) = (0, 0)
    repeat {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      guard digits.count <= 8, let number = Int(digits), let unit = rest.popFirst(), let length = Self.lengths[unit]
      else { return nil }
      sum += number * length
      if length >= 86_400 { days += number * length / 86_400 }
    } while !rest.isEmpty
    guard (1...36_525 * 86_400).contains(sum) else { return nil }
    seconds = sum
    calendarDays = days
  }

  /// Returns the end of a period that starts at an instant.
  ///
  /// A day ends at the same time of the next day, even if the clocks change meanwhile. Days are added first, then hours and
  /// minutes.
  package func end(after start: Timestamp, in zone: Zone) -> Timestamp {
    let local = zone.local(at: start)
    guard calendarDays > 0,
      let last = LocalDateTime(
        local.date.adding(days: calendarDays), hour: local.hour, minute: local.minute, second: local.second)
    else { return start + .seconds(seconds) }
    return zone.timestamp(of: last) + .seconds(seconds - calendarDays * 86_400)
  }

  /// The duration in days, or `nil` if it is not a whole number of days.
  var days: Int? { seconds % 86_400 == 0 ? seconds / 86_400 : nil }

  private static let lengths: [Character: Int] = ["w": 604_800, "d": 86_400, "h": 3600, "m": 60]
}
