import Foundation
import Testing
import Timekeeping

/// The hot path against a plain reading of the grammar, against a calendar that counts days, and against Foundation.
struct RFC3339OracleTests {
  /// Reads by the grammar of RFC 3339 § 5.6, a character at a time; `nil` for what it does not allow.
  private static func plain(_ bytes: [UInt8]) -> (seconds: Int64, nanoseconds: Int32, offset: Int)? {
    var rest = bytes[...]
    func number(_ width: Int, _ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix(width)
      guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      rest = rest.dropFirst(width)
      let value = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
      return range.contains(value) ? value : nil
    }
    func character(_ allowed: String) -> UInt8? {
      guard let first = rest.first, allowed.utf8.contains(first) else { return nil }
      rest = rest.dropFirst()
      return first
    }
    guard let year = number(4, 0...9999), character("-") != nil, let month = number(2, 1...12), character("-") != nil,
      let day = number(2, 1...daysInMonth(month, year)), character("Tt") != nil, let hour = number(2, 0...23),
      character(":") != nil, let minute = number(2, 0...59), character(":") != nil, let second = number(2, 0...60)
    else { return nil }
    var fraction: [UInt8] = []
    if character(".") != nil {
      fraction = Array(rest.prefix { (0x30...0x39).contains($0) })
      rest = rest.dropFirst(fraction.count)
      guard !fraction.isEmpty else { return nil }
    }
    var offset = 0
    if character("Zz") == nil {
      guard let sign = character("+-"), let hours = number(2, 0...23), character(":") != nil,
        let minutes = number(2, 0...59)
      else { return nil }
      offset = (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
    guard rest.isEmpty else { return nil }
    let days = CivilDate(year: year, month: month, day: day)?.daysSince1970 ?? 0
    let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
    if second == 60 {
      guard seconds % 86_400 == 0 else { return nil }
      // The first and the last year end where `CivilDate` does: there one of the two days next to the second is missing.
      let (last, next) = (Int(seconds / 86_400) - 1, Int(seconds / 86_400))
      let ending = CivilDate(daysSince1970: last)
      guard CivilDate(daysSince1970: next).day == 1 || ending.day == daysInMonth(ending.month, ending.year) else {
        return nil
      }
    }
    let digits = (fraction + [UInt8](repeating: 0x30, count: 9)).prefix(9)
    return (seconds, digits.reduce(0) { $0 * 10 + Int32($1) - 0x30 }, offset)
  }

  private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  private static func check(_ bytes: [UInt8]) {
    let expected = plain(bytes)
    let time = try? OffsetDateTime(rfc3339: bytes.span)
    let agrees =
      time?.timestamp.secondsSince1970 == expected?.seconds && time?.timestamp.nanoseconds == expected?.nanoseconds
      && time?.offsetSeconds == expected?.offset
    if !agrees {
      Issue.record(
        "\(String(decoding: bytes, as: UTF8.self)): \(String(describing: time)), \(String(describing: expected))")
    }
  }

  @Test(arguments: [
    "2024-02-29T23:59:59Z", "1999-12-31T23:59:60Z", "2026-10-31T12:34:56.789+05:30", "0000-01-01t00:00:00.1-00:01",
  ])
  func agreesForEveryByteAtEveryPlace(text: String) {
    var bytes = Array(text.utf8)
    for index in bytes.indices {
      let original = bytes[index]
      for byte in UInt8.min...UInt8.max {
        bytes[index] = byte
        Self.check(bytes)
      }
      bytes[index] = original
    }
    for length in bytes.indices { Self.check(Array(bytes.prefix(length))) }
    for byte in UInt8.min...UInt8.max { Self.check(bytes + [byte]) }
  }

  @Test func agreesForRandomText() {
    var numbers = SeededNumbers(seed: 2)
    for _ in 0..<SeededNumbers.rounds {
      func two(_ bound: Int) -> String {
        String(Int.random(in: 100..<100 + bound, using: &numbers)).suffix(2).description
      }
      let year = String(Int.random(in: 10_000..<20_000, using: &numbers)).dropFirst()
      var text = "\(year)-\(two(14))-\(two(33))T\(two(25))\(":")\(two(61)):\(two(62))"
      if Bool.random(using: &numbers) {
        text += "." + String(numbers.next()).prefix(Int.random(in: 0...12, using: &numbers))
      }
      text += Bool.random(using: &numbers) ? "Z" : (Bool.random(using: &numbers) ? "+" : "-") + two(25) + ":" + two(61)
      Self.check(Array(text.utf8))
    }
  }

  @Test func everyDayOfFourCenturiesFollowsTheOneBefore() throws {
    var (year, month, day) = (1899, 12, 31)
    let first = try #require(CivilDate(year: year, month: month, day: day)).daysSince1970
    #expect(first == -25_568)
    for days in first..<first + 146_097 {
      let date = CivilDate(daysSince1970: days)
      if (date.year, date.month, date.day) != (year, month, day) || date.daysSince1970 != days {
        Issue.record("\(date) is not \(year)-\(month)-\(day)")
      }
      day += 1
      if day > Self.daysInMonth(month, year) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
  }

  @Test func agreesWithFoundation() throws {
    var numbers = SeededNumbers(seed: 3)
    let style = Date.ISO8601FormatStyle.iso8601
    for _ in 0..<min(SeededNumbers.rounds, 200_000) / 10 {
      let time = Timestamp(secondsSince1970: .random(in: -2_000_000_000..<200_000_000_000, using: &numbers))
      let date = Date(timeIntervalSince1970: Double(time.secondsSince1970))
      #expect(time.rfc3339() == style.format(date))
      #expect(try Timestamp(rfc3339: style.format(date)) == time)
    }
  }
}
