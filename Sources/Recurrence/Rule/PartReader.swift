// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// Collects the parts of a rule with their positions in the text.
struct PartReader {
  private var positions: [RecurrenceRule.Part: Int] = [:]
  private var frequency: RecurrenceRule.Frequency?
  private var interval = 1
  private var end = RecurrenceRule.End.never
  private var numbers: [RecurrenceRule.Part: [Int]] = [:]
  private var days: [WeekdayNumber] = []
  private var weekStart = Weekday.monday

  /// Reads one part, up to its semicolon.
  mutating func read(_ reader: inout TextReader) throws(RecurrenceError) {
    let position = reader.position
    let name = reader.word()
    guard !name.isEmpty, reader.skip("=") else { throw RecurrenceError(.malformed, name: name, at: position) }
    guard let part = RecurrenceRule.Part(rawValue: name) else {
      throw RecurrenceError(.unknownPart, name: name, at: position)
    }
    guard positions.updateValue(position, forKey: part) == nil else {
      throw RecurrenceError(.repeatedPart, part: part, at: position)
    }
    switch part {
    case .frequency:
      let position = reader.position
      frequency = RecurrenceRule.Frequency(rawValue: reader.word())
      guard frequency != nil else { throw RecurrenceError(.unknownValue, part: part, at: position) }
    case .interval: interval = try reader.number(part)
    case .count:
      guard positions[.until] == nil else { throw RecurrenceError(.countAndUntil, part: part, at: position) }
      end = .count(try reader.number(part))
    case .until:
      guard positions[.count] == nil else { throw RecurrenceError(.countAndUntil, part: part, at: position) }
      do { end = .until(try reader.time()) } catch { throw error.within(part) }
    case .byDay: repeat { days.append(try reader.weekdayNumber()) } while reader.skip(",")
    case .weekStart: weekStart = try reader.weekday(part)
    default:
      var list: [Int] = []
      repeat { list.append(try reader.number(part)) } while reader.skip(",")
      numbers[part] = list
    }
    if !reader.isAtEnd, !reader.isAt(";") { throw RecurrenceError(.unknownValue, part: part, at: reader.position) }
  }

  /// Returns the rule of the parts read so far.
  ///
  /// - Parameter position: The offset at which the rule starts.
  func rule(at position: Int) throws(RecurrenceError) -> RecurrenceRule {
    guard let frequency else { throw RecurrenceError(.missingFrequency, part: .frequency, at: position) }
    do {
      return try RecurrenceRule(
        frequency, interval: interval, end: end, bySecond: numbers[.bySecond] ?? [],
        byMinute: numbers[.byMinute] ?? [], byHour: numbers[.byHour] ?? [], byDay: days,
        byMonthDay: numbers[.byMonthDay] ?? [], byYearDay: numbers[.byYearDay] ?? [],
        byWeekNo: numbers[.byWeekNo] ?? [], byMonth: numbers[.byMonth] ?? [], bySetPos: numbers[.bySetPos] ?? [],
        weekStart: weekStart)
    } catch {
      throw error.at(error.part.flatMap(RecurrenceRule.Part.init).flatMap { positions[$0] })
    }
  }
}
