// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Testing
import Timekeeping

@Suite struct HTTPDateTests {
  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),  // RFC 9110 § 5.6.7
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
    (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
    (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
  ])
  func writesAndReads(_ seconds: Int64, _ text: String) {
    let timestamp = Timestamp(secondsSince1970: seconds)
    #expect(HTTPDate.format(timestamp) == text)
    #expect(HTTPDate.parse(text) == timestamp)
  }

  @Test(arguments: [("Sunday, 06-Nov-69 08:49:37 GMT", 2069), ("Sunday, 06-Nov-70 08:49:37 GMT", 1970)])
  func yearOfTwoDigitsIsTheNearOne(_ text: String, _ year: Int) throws {
    let date = try #require(HTTPDate.parse(text))
    #expect(OffsetDateTime(date).date.year == year)
  }

  @Test(arguments: [Int64.min, .max])
  func instantBeyondTheFormatIsWrittenAsTheNearestDay(_ seconds: Int64) {
    #expect(HTTPDate.format(Timestamp(secondsSince1970: seconds)).hasSuffix(" GMT"))
  }

  @Test(arguments: [
    "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 08:49:37  GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37", "Sun Nov 6 08:49:37 1994", "Sun Nov   6 08:49:37 1994", "Sun Nov  6 08:49:37 94",
    "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:-7 GMT", "Sun, 06 Nov 1994 08::49:37 GMT",
    "Sun, 06 Nov 1994 :08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37: GMT",
  ])
  func refusesEverythingElse(_ text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test func everyDayIsWrittenAndReadInAllForms() {
    for day in 0..<800 {
      let instant = Timestamp(secondsSince1970: 1_672_531_200 + Int64(day) * 86_400 + Int64(day * 7919 % 86_400))
      let text = HTTPDate.format(instant)
      #expect(HTTPDate.parse(text) == instant)
      let parts = text.split(separator: " ")
      let weekday = OffsetDateTime(instant).date.weekday.englishName
      #expect(parts[0].dropLast() == weekday.prefix(3))
      #expect(HTTPDate.parse("\(weekday), \(parts[1])-\(parts[2])-\(parts[3].suffix(2)) \(parts[4]) GMT") == instant)
      let padded = parts[1].hasPrefix("0") ? " \(parts[1].suffix(1))" : "\(parts[1])"
      #expect(HTTPDate.parse("\(parts[0].dropLast()) \(parts[2]) \(padded) \(parts[4]) \(parts[3])") == instant)
    }
  }

  @Test(
    arguments: [
      ("23:59:59", 86_399), ("00:00:00", 0), ("23:59:60", 86_400), ("23:59:61", nil), ("24:00:00", nil),
      ("23:60:00", nil),
      ("1:00:00", nil), ("00:00", nil), ("00:00:00:00", nil), ("-1:00:00", nil), ("0a:00:00", nil), ("00:00:/0", nil),
    ] as [(String, Int?)])
  func timeOfDay(_ time: String, _ seconds: Int?) {
    let start = Timestamp(secondsSince1970: 784_080_000)
    let instant = seconds.map { start + .seconds($0) }
    #expect(HTTPDate.parse("Sun, 06 Nov 1994 \(time) GMT") == instant)
    #expect(HTTPDate.parse("Sunday, 06-Nov-94 \(time) GMT") == instant)
    #expect(HTTPDate.parse("Sun Nov  6 \(time) 1994") == instant)
    for malformed in ["Xun, 06 Nov 1994 \(time) GMT", "Xunday, 06-Nov-94 \(time) GMT", "Xun Nov  6 \(time) 1994"] {
      #expect(HTTPDate.parse(malformed) == nil)
    }
  }
}
