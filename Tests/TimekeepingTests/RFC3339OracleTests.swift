// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import Timekeeping

/// The hot path against a plain reading of the grammar, against a calendar that counts days, and against Foundation.
struct RFC3339OracleTests {
  private static func check(_ bytes: [UInt8]) {
    let expected = PlainRFC3339.read(bytes)
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
      if day > PlainRFC3339.daysInMonth(month, year) { (month, day) = (month + 1, 1) }
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
