// SPDX-License-Identifier: Apache-2.0

import Testing
import Timekeeping

@Suite struct WeekdayTests {
  @Test(
    arguments: [
      ("0000-01-01", Weekday.saturday), ("1582-10-15", .friday), ("1969-12-31", .wednesday), ("1970-01-01", .thursday),
      ("2000-02-29", .tuesday), ("2026-11-22", .sunday), ("9999-12-31", .friday),
    ])
  func dayOfTheWeekIsThatOfTheGregorianCalendar(date: String, weekday: Weekday) throws {
    #expect(try CivilDate(rfc3339: date).weekday == weekday)
  }

  @Test func namesAreInOrder() {
    let names = Weekday.allCases.map { $0.englishName.prefix(3) }
    #expect(names == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"])
  }
}
