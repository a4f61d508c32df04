// SPDX-License-Identifier: Apache-2.0

extension POSIXZoneRule {
  /// Reads a rule; `nil` if it is none.
  ///
  /// Offsets are bounded by 24 hours, times of day by 167
  /// ([RFC 8536 § 3.3.1](https://www.rfc-editor.org/rfc/rfc8536.html#section-3.3.1)).
  init?(_ text: [UInt8]) {
    var reader = Reader(bytes: text)
    guard reader.skipName(), let standard = reader.time(hours: 24) else { return nil }
    standardOffset = -standard
    guard !reader.isAtEnd else {
      summerTime = nil
      return
    }
    guard reader.skipName() else { return nil }
    var offset = standardOffset + 3600
    if !reader.isAt(",") {
      guard let summer = reader.time(hours: 24) else { return nil }
      offset = -summer
    }
    guard let start = reader.change(), let end = reader.change(), reader.isAtEnd else { return nil }
    summerTime = SummerTime(offset: offset, start: start, end: end)
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position >= bytes.count }

    func isAt(_ character: Unicode.Scalar) -> Bool { !isAtEnd && bytes[position] == UInt8(ascii: character) }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard isAt(character) else { return false }
      position += 1
      return true
    }

    /// `CET`, or `<+03>`.
    mutating func skipName() -> Bool {
      let start = position
      if skip("<") {
        while !isAtEnd, bytes[position].isLetter || bytes[position].isDigit || isAt("+") || isAt("-") { position += 1 }
        return position > start + 1 && skip(">")
      }
      while !isAtEnd, bytes[position].isLetter { position += 1 }
      return position >= start + 3
    }

    mutating func number(_ bounds: ClosedRange<Int>) -> Int? {
      var number: Int?
      while !isAtEnd, bytes[position].isDigit {
        number = (number ?? 0) * 10 + Int(bytes[position] - UInt8(ascii: "0"))
        guard let number, number <= bounds.upperBound else { return nil }
        position += 1
      }
      return number.flatMap { bounds.contains($0) ? $0 : nil }
    }

    /// `[+-]hh[:mm[:ss]]`.
    mutating func time(hours limit: Int) -> Int64? {
      let sign: Int64 = skip("-") ? -1 : 1
      if sign > 0 { _ = skip("+") }
      guard let hours = number(0...limit) else { return nil }
      var seconds = hours * 3600
      if skip(":") {
        guard let minutes = number(0...59) else { return nil }
        seconds += minutes * 60
        if skip(":") {
          guard let rest = number(0...59) else { return nil }
          seconds += rest
        }
      }
      return sign * Int64(seconds)
    }

    /// `,` and a day, and a time of day unless it is two o'clock.
    mutating func change() -> Change? {
      guard skip(","), let day = day() else { return nil }
      guard skip("/") else { return Change(day: day, time: 7200) }
      return time(hours: 167).map { Change(day: day, time: $0) }
    }

    private mutating func day() -> Change.Day? {
      if skip("J") { return number(1...365).map(Change.Day.julian) }
      guard skip("M") else { return number(0...365).map(Change.Day.sinceNewYear) }
      guard let month = number(1...12), skip("."), let week = number(1...5), skip("."), let weekday = number(0...6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
  }
}
