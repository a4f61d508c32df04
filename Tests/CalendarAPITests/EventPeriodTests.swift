// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Testing
import Timekeeping

struct EventPeriodTests {
  private let first = CivilDate(daysSince1970: 20_513)
  private let noon: OffsetDateTime
  private let one: OffsetDateTime

  init() throws {
    noon = try OffsetDateTime(rfc3339: "2026-03-01T12:00:00+01:00")
    one = try OffsetDateTime(rfc3339: "2026-03-01T13:00:00+01:00")
  }

  @Test func allDayAndTimedAreReadAsWhatTheyAre() throws {
    let days = try Event(json: Array(#"{"start":{"date":"2026-03-01"},"end":{"date":"2026-03-03"}}"#.utf8))
    #expect(days.period == .allDay(first..<first.adding(days: 2)))
    let hour = try Event(
      json: Array(
        #"{"start":{"dateTime":"2026-03-01T12:00:00+01:00","timeZone":"Europe/Madrid"},"end":{"dateTime":"2026-03-01T13:00:00+01:00"}}"#
          .utf8))
    #expect(hour.period == .timed(start: noon, end: one, timeZone: "Europe/Madrid"))
  }

  @Test(arguments: [
    "{}", #"{"start":{"date":"2026-03-01"}}"#,
    #"{"start":{"date":"2026-03-01"},"end":{"dateTime":"2026-03-01T13:00:00+01:00"}}"#,
    #"{"start":{"date":"2026-03-02"},"end":{"date":"2026-03-01"}}"#, #"{"start":{},"end":{}}"#,
  ]) func whatDoesNotGoTogetherIsNoPeriod(_ json: String) throws {
    #expect(try Event(json: Array(json.utf8)).period == nil)
  }

  @Test func aPeriodReplacesTheOtherKind() {
    var event = Event { $0.period = .timed(start: noon, end: one, timeZone: "Europe/Madrid") }
    event.period = .allDay(first..<first.adding(days: 1))
    #expect(
      String(decoding: event.json(), as: UTF8.self) == #"{"end":{"date":"2026-03-02"},"start":{"date":"2026-03-01"}}"#)
    event.start?.time = .timed(noon)
    #expect(event.start == EventDateTime(noon))
    event.period = nil
    #expect(event == Event())
  }
}
