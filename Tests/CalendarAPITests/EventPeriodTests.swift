// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
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
    #expect(event.start == EventDateTime(dateTime: noon))
    event.period = nil
    #expect(event == Event())
  }

  @Test func startAndEndKeepTheirZones() throws {
    var flight = try Event(
      json: Array(
        #"{"start":{"dateTime":"2026-03-01T12:00:00+01:00","timeZone":"Europe/Madrid"},"end":{"dateTime":"2026-03-01T13:00:00+01:00","timeZone":"Asia/Tokyo"}}"#
          .utf8))
    let old = flight
    let period = EventPeriod.timed(start: noon, end: one, timeZone: "Europe/Madrid", endTimeZone: "Asia/Tokyo")
    #expect(flight.period == period)
    #expect(period.end == .timed(one, timeZone: "Asia/Tokyo"))
    flight.period = period
    #expect(flight == old)
    var patch = Event.Patch()
    patch.setPeriod(period)
    #expect(patch.start.timeZone == .set("Europe/Madrid"))
    #expect(patch.end.timeZone == .set("Asia/Tokyo"))
    // One zone is that of both.
    flight.period = .timed(start: noon, end: one, timeZone: "Europe/Madrid")
    #expect(flight.end == EventDateTime(dateTime: one, timeZone: "Europe/Madrid"))
    #expect(flight.period == .timed(start: noon, end: one, timeZone: "Europe/Madrid"))
    guard case .timed(_, _, _, let endTimeZone)? = flight.period else { return }
    #expect(endTimeZone == nil)
  }

  @Test func aZoneThatIsNamedTwiceIsTheSamePeriod() {
    let once = EventPeriod.timed(start: noon, end: one, timeZone: "Europe/Madrid")
    let twice = EventPeriod.timed(start: noon, end: one, timeZone: "Europe/Madrid", endTimeZone: "Europe/Madrid")
    #expect(once == twice)
    #expect(Set([once, twice]).count == 1)
    #expect(once != .timed(start: noon, end: one, timeZone: "Europe/Madrid", endTimeZone: "Asia/Tokyo"))
    #expect(once != .timed(start: noon, end: one, endTimeZone: "Europe/Madrid"))
    #expect(EventPeriod.allDay(first..<first) != .allDay(first..<first.adding(days: 1)))
  }

  @Test(arguments: [nil, "Europe/Madrid"] as [String?]) func aZoneOfTheEndAloneIsNotThatOfTheStart(_ zone: String?) {
    let event = Event {
      $0.start = EventDateTime(dateTime: noon)
      $0.end = EventDateTime(dateTime: one, timeZone: zone)
    }
    #expect(event.period == .timed(start: noon, end: one, endTimeZone: zone))
  }

  @Test func aPeriodKeepsFieldsThatHaveNoProperty() throws {
    var event = try Event(
      json: Array(
        #"{"start":{"date":"2026-03-01","new":1},"end":{"date":"tomorrow","new":[2]},"summary":"Lunch"}"#.utf8))
    event.period = .timed(start: noon, end: one)
    #expect(
      String(decoding: event.json(), as: UTF8.self)
        == #"{"end":{"dateTime":"2026-03-01T13:00:00+01:00","new":[2]},"start":{"dateTime":"2026-03-01T12:00:00+01:00","new":1},"summary":"Lunch"}"#
    )
  }

  @Test(
    arguments: [
      ("2026-11-22T12:00:00Z", "Europe/Madrid", 15, 0, "2026-11-22T15:00:00+01:00", "2026-11-22T15:30:00+01:00", ""),
      (
        "2026-11-22T23:30:00Z", "Europe/Madrid", 0, 5, "2026-11-23T00:05:00+01:00", "2026-11-23T00:35:00+01:00",
        "tomorrow in UTC"
      ),
      (
        "2026-11-22T03:00:00Z", "America/New_York", 8, 15, "2026-11-21T08:15:00-05:00", "2026-11-21T08:45:00-05:00",
        "yesterday"
      ),
      (
        "2026-03-29T12:00:00Z", "Europe/Madrid", 2, 15, "2026-03-29T03:15:00+02:00", "2026-03-29T03:45:00+02:00",
        "skipped"
      ),
      (
        "2026-03-29T12:00:00Z", "Europe/Madrid", 1, 45, "2026-03-29T01:45:00+01:00", "2026-03-29T03:15:00+02:00",
        "over the gap"
      ),
      (
        "2026-10-25T12:00:00Z", "Europe/Madrid", 2, 45, "2026-10-25T02:45:00+02:00", "2026-10-25T02:15:00+01:00",
        "shown twice"
      ),
      ("2026-11-22T12:00:00Z", "GMT", 24, 0, "2026-11-23T00:00:00Z", "2026-11-23T00:30:00Z", "midnight"),
    ])
  func aTimeOfTodayIsThatOfTheZonesClocks(
    now: String, zone: String, hour: Int, minute: Int, start: String, end: String, reason: Comment
  ) throws {
    let clock = ManualClock(now: try Timestamp(rfc3339: now))
    let timeZone = try #require(TimeZone(identifier: zone))
    let period = EventPeriod.today(at: hour, minute, for: .seconds(1800), in: timeZone, clock: clock)
    #expect(
      period
        == .timed(
          start: try OffsetDateTime(rfc3339: start), end: try OffsetDateTime(rfc3339: end),
          timeZone: timeZone.identifier),
      reason)
  }

  @Test func datesAreThePeriodBetweenThem() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Madrid"))
    let start = Date(try Timestamp(rfc3339: "2026-03-29T00:30:00Z"))
    #expect(
      EventPeriod(start: start, end: start + 3600, in: zone)
        == .timed(
          start: try OffsetDateTime(rfc3339: "2026-03-29T01:30:00+01:00"),
          end: try OffsetDateTime(rfc3339: "2026-03-29T03:30:00+02:00"), timeZone: "Europe/Madrid"))
  }

  @Test(arguments: [Int.min, Int.max]) func noHourIsTooLarge(_ hour: Int) {
    let period = EventPeriod.on(first, at: hour, hour, for: .zero, in: .gmt)
    #expect(period.start == period.end)
  }

  // MARK: Instants

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
