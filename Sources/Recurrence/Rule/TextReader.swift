// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// Reads iCalendar values from a text, one after the other.
struct TextReader {
  private let bytes: [UInt8]
  /// The offset in UTF-8 bytes from the start of the text.
  private(set) var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { position >= bytes.count }

  private var current: UInt8? { isAtEnd ? nil : bytes[position] }

  func isAt(_ character: Unicode.Scalar) -> Bool { current == UInt8(ascii: character) }

  /// Reads a character if it is next, and returns whether it was.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    position += 1
    return true
  }

  func end(_ reason: RecurrenceError.Reason) throws(RecurrenceError) {
    if !isAtEnd { throw RecurrenceError(reason, at: position) }
  }

  /// Reads letters and hyphens and returns them in upper case, or an empty string if there are none.
  mutating func word() -> String {
    let start = position
    while let byte = current, byte.isLetter || byte == UInt8(ascii: "-") { position += 1 }
    return String(decoding: bytes[start..<position].map(\.uppercased), as: UTF8.self)
  }

  /// Reads the text up to the first of some characters, or to the end.
  mutating func text(upTo ends: [Unicode.Scalar]) -> String {
    let start = position
    while let byte = current, !ends.contains(where: { UInt8(ascii: $0) == byte }) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Reads a number allowed in the part.
  mutating func number(_ part: RecurrenceRule.Part) throws(RecurrenceError) -> Int {
    let start = position
    let isNegative = part.isSigned && skip("-")
    if part.isSigned, !isNegative { _ = skip("+") }
    guard let magnitude = digits() else { throw RecurrenceError(.notANumber, part: part, at: start) }
    let number = isNegative ? -magnitude : magnitude
    guard part.admits(number) else {
      throw RecurrenceError(.outOfRange(part.bounds, isSigned: part.isSigned), part: part, at: start)
    }
    return number
  }

  /// Reads all following digits as a number, or returns `nil` if there are none.
  ///
  /// Large numbers become a value outside of any bounds.
  private mutating func digits() -> Int? {
    var number: Int?
    while let byte = current, byte.isDigit {
      let digit = Int(byte - UInt8(ascii: "0"))
      number = min((number ?? 0), 200_000_000) * 10 + digit
      position += 1
    }
    return number
  }

  mutating func weekdayNumber() throws(RecurrenceError) -> WeekdayNumber {
    let isNumbered = current.map { !$0.isLetter } ?? false
    let ordinal = isNumbered ? try number(.byDay) : nil
    return WeekdayNumber(try weekday(.byDay), ordinal: ordinal)
  }

  mutating func weekday(_ part: RecurrenceRule.Part) throws(RecurrenceError) -> Weekday {
    let start = position
    guard let weekday = Weekday.codes.firstIndex(of: word()).flatMap(Weekday.init) else {
      throw RecurrenceError(.unknownValue, part: part, at: start)
    }
    return weekday
  }

  /// Reads a date, or a date with a time.
  mutating func time() throws(RecurrenceError) -> RecurrenceTime {
    let start = position
    guard let year = digits(4), let month = digits(2), let day = digits(2),
      let date = CivilDate(year: year, month: month, day: day)
    else { throw RecurrenceError(.invalidTime, at: start) }
    guard skip("T") || skip("t") else { return .date(date) }
    // RFC 5545 § 3.3.12: a leap second is read as the second before it.
    guard let hour = digits(2), let minute = digits(2), let second = digits(2), second <= 60,
      let time = LocalDateTime(date, hour: hour, minute: minute, second: min(second, 59))
    else { throw RecurrenceError(.invalidTime, at: start) }
    return skip("Z") || skip("z") ? .utc(time) : .local(time)
  }

  /// Reads exactly `count` digits.
  private mutating func digits(_ count: Int) -> Int? {
    guard position + count <= bytes.count, bytes[position..<position + count].allSatisfy(\.isDigit) else { return nil }
    defer { position += count }
    return bytes[position..<position + count].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}

extension UInt8 {
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  var isLetter: Bool { uppercased >= UInt8(ascii: "A") && uppercased <= UInt8(ascii: "Z") }
  var uppercased: UInt8 { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") ? self - 32 : self }
}
