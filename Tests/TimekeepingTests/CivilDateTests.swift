// SPDX-License-Identifier: Apache-2.0

import Testing
import Timekeeping

struct CivilDateTests {
  @Test(arguments: ["0000-01-01", "1970-01-01", "2024-02-29", "9999-12-31"])
  func writesWhatItRead(text: String) throws {
    #expect(try CivilDate(rfc3339: text).description == text)
    #expect(try CivilDate(rfc3339: "[\(text)]".dropFirst().dropLast()).description == text)
    let date = try CivilDate(rfc3339: Array(text.utf8).span)
    var bytes: [UInt8] = []
    date.appendRFC3339(to: &bytes)
    #expect(bytes == Array(text.utf8))
  }

  @Test(arguments: [
    ("", RFC3339ParseError.Reason.truncated, 0), ("2026-02-2", .truncated, 9), ("2026-02-28T", .trailingCharacters, 10),
    ("2026/02/28", .unexpectedCharacter, 4), ("2026-02-2x", .unexpectedCharacter, 9), ("2026-00-01", .month, 5),
    ("2026-02-29", .day, 8), ("2026-04-31", .day, 8), ("2026-04-00", .day, 8), ("１９７０-01-01", .unexpectedCharacter, 0),
  ])
  func saysWhatIsWrongAndWhere(text: String, reason: RFC3339ParseError.Reason, offset: Int) throws {
    let error = try #require(throws: RFC3339ParseError.self) { try CivilDate(rfc3339: text) }
    #expect(error.reason == reason)
    #expect(error.offset == offset)
  }

  @Test func existsOnlyForDaysThatExist() {
    #expect(CivilDate(year: 2000, month: 2, day: 29) != nil)
    for (year, month, day) in [
      (1900, 2, 29), (2026, 2, 29), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (-1, 1, 1), (10_000, 1, 1),
    ] {
      #expect(CivilDate(year: year, month: month, day: day) == nil)
    }
  }

  @Test func everyYearHasItsLeapDayOrNone() throws {
    for year in 0...9999 {
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      let end = try #require(CivilDate(year: year, month: 2, day: 28))
      #expect(end.adding(days: isLeap ? 2 : 1) == CivilDate(year: year, month: 3, day: 1))
      #expect(CivilDate(year: year, month: 2, day: 29) == (isLeap ? end.adding(days: 1) : nil))
    }
  }

  @Test func countsDays() throws {
    let date = try CivilDate(rfc3339: "2024-02-28")
    #expect(date.adding(days: 1).description == "2024-02-29")
    #expect(date.adding(days: 366).description == "2025-02-28")
    #expect(date.adding(days: -59).description == "2023-12-31")
    #expect(date.adding(days: .max) == .max)
    #expect(date.adding(days: .min) == .min)
    #expect(CivilDate.min.adding(days: -1) == .min)
    #expect(date.startOfDayInUTC == (try Timestamp(rfc3339: "2024-02-28T00:00:00Z")))
  }

  @Test func comparesByTime() throws {
    let days = try ["1999-12-31", "2000-01-01", "2000-01-02", "2000-02-01"].map { try CivilDate(rfc3339: $0) }
    #expect(days.reversed().sorted() == days)
  }
}
