// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Foundation
import Testing
import Timekeeping

@Suite struct EventInstantTests {
  @Test(
    arguments: [
      ("2026-11-22", "Europe/Madrid", "2026-11-21T23:00:00Z", "east of Greenwich"),
      ("2026-07-01", "America/New_York", "2026-07-01T04:00:00Z", "west of it, in summer"),
      ("2026-03-29", "Europe/Madrid", "2026-03-28T23:00:00Z", "the day on which summer begins"),
      ("2026-10-25", "Europe/Madrid", "2026-10-24T22:00:00Z", "the day on which it ends"),
      ("2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z", "midnight was skipped: the day began at one o'clock"),
      ("1919-03-31", "America/Toronto", "1919-03-31T04:30:00Z", "half an hour before and after midnight was skipped"),
      ("2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00Z", "the hour before midnight came twice"),
      ("2020-11-01", "America/Havana", "2020-11-01T04:00:00Z", "the first hour came twice"),
      ("2026-11-22", "Pacific/Kiritimati", "2026-11-21T10:00:00Z", "14 hours ahead"),
      ("2026-11-22", "GMT", "2026-11-22T00:00:00Z", "no offset"),
    ])
  func allDayDateBeginsWithTheDayOfTheZone(date: String, zone: String, instant: String, reason: Comment) throws {
    let timeZone = try #require(TimeZone(identifier: zone))
    let start = EventDateTime(date: try CivilDate(rfc3339: date))
    #expect(start.instant(in: timeZone) == (try Timestamp(rfc3339: instant)), reason)
  }

  @Test func timeHasAnOffsetOfItsOwn() throws {
    let start = EventDateTime(dateTime: try OffsetDateTime(rfc3339: "2026-11-22T09:30:00+01:00"))
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    #expect(start.instant(in: tokyo) == (try Timestamp(rfc3339: "2026-11-22T08:30:00Z")))
  }

  @Test func neitherDateNorTimeIsNoInstant() { #expect(EventDateTime().instant(in: .gmt) == nil) }
}
