// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import CalendarAPI
import Recurrence
import Testing
import Timekeeping

@Suite struct TimeReaderTests {
  /// Sunday, 22 November 2026, 23:30 in Berlin, one hour ahead of UTC.
  private let reader: TimeReader

  init() throws {
    reader = TimeReader(
      now: try Timestamp(rfc3339: "2026-11-22T22:30:00Z"), zone: try SystemZoneDatabase.shared.zone("Europe/Berlin"))
  }

  @Test(arguments: [
    ("today", "2026-11-22"), ("Tomorrow", "2026-11-23"), ("yesterday", "2026-11-21"), ("monday", "2026-11-23"),
    ("MON", "2026-11-23"), ("sunday", "2026-11-29"), ("sat", "2026-11-28"), ("2026-02-28", "2026-02-28"),
    ("next monday", "2026-11-23"), ("in 3 days", "2026-11-25"), ("in a week", "2026-11-29"),
  ])
  func day(_ text: String, _ day: String) throws {
    #expect(reader.read(text) == .day(try CivilDate(rfc3339: day)))
  }

  @Test(arguments: [
    ("2026-11-23T08:00", "2026-11-23T08:00:00+01:00"), ("2026-11-23 8:00", "2026-11-23T08:00:00+01:00"),
    ("2026-07-01T08:00:30", "2026-07-01T08:00:30+02:00"), ("2026-11-23T08:00Z", "2026-11-23T08:00:00Z"),
    ("2026-11-23T08:00-05:30", "2026-11-23T08:00:00-05:30"), ("tomorrow 9:00", "2026-11-23T09:00:00+01:00"),
    ("monday  14:15", "2026-11-23T14:15:00+01:00"), ("9:05", "2026-11-22T09:05:00+01:00"),
    ("now", "2026-11-22T23:30:00+01:00"), ("2026-03-29T02:30", "2026-03-29T03:30:00+02:00"),
    ("2026-10-25T02:30", "2026-10-25T02:30:00+02:00"), ("tomorrow 3pm", "2026-11-23T15:00:00+01:00"),
    ("Tomorrow at 3:30 PM", "2026-11-23T15:30:00+01:00"), ("next friday 15:00", "2026-11-27T15:00:00+01:00"),
    ("fri 12am", "2026-11-27T00:00:00+01:00"), ("12pm", "2026-11-22T12:00:00+01:00"),
    ("in 2 hours", "2026-11-23T01:30:00+01:00"), ("in 1h30m", "2026-11-23T01:00:00+01:00"),
    ("in an hour and 5 minutes", "2026-11-23T00:35:00+01:00"),
  ])
  func time(_ text: String, _ time: String) throws {
    #expect(reader.read(text) == .time(try OffsetDateTime(rfc3339: time)))
  }

  @Test(arguments: [
    "", " ", "soon", "2026-02-29", "2026-11-23T", "2026-11-23T24:00", "8", "8:60", "25:00", "8:00:99", "08:00+1",
    "-1:00",
    "2026-11-23T08:00+25:00", "mo", "tomorrow noon", "2026-11-23Z08:00", "1:2:3:4", "٠٨:٠٠", "8:00 tomorrow", "13pm",
    "0am", "next", "next week",
    "in", "in two hours", "in 2", "3 pm tomorrow", "tomorrow 3pm sharp",
  ])
  func invalidTextIsNil(_ text: String) { #expect(reader.read(text) == nil) }

  @Test func timeWithoutADayIsOnTheGivenDay() throws {
    let day = try CivilDate(rfc3339: "2026-12-24")
    #expect(reader.read("9:00", on: day) == .time(try OffsetDateTime(rfc3339: "2026-12-24T09:00:00+01:00")))
    #expect(reader.read("today", on: day) == .day(try CivilDate(rfc3339: "2026-11-22")))
  }

  /// On every day of the week, "--from monday --to friday" is a span of five days.
  @Test(arguments: [
    ("friday", "2026-11-30", "2026-12-04"), ("monday", "2026-11-30", "2026-11-30"), ("sun", "2026-11-30", "2026-12-06"),
    // Every weekday is after today.
    ("sunday", "2026-11-22", "2026-11-29"), ("friday", "2026-11-20", "2026-11-27"),
  ])
  func weekdayIsNotBeforeTheGivenDay(_ text: String, _ first: String, _ day: String) throws {
    let first = try CivilDate(rfc3339: first)
    #expect(reader.read(text, on: first) == .day(try CivilDate(rfc3339: day)))
    #expect(
      reader.read("\(text) 9:00", on: first) == .time(try OffsetDateTime(rfc3339: "\(day)T09:00:00+01:00")))
  }

  @Test(arguments: [("90m", 5400), ("1h30m", 5400), ("2d", 172_800), ("1W", 604_800), ("1d1h1m", 90_060)])
  func duration(_ text: String, _ seconds: Int) { #expect(WrittenDuration(text)?.seconds == seconds) }

  @Test(arguments: ["", "90", "m", "0m", "-1h", "1h 30m", "1.5h", "1s", "99999999w", "999999999999999999999m", "1h30"])
  func invalidDurationIsNil(_ text: String) { #expect(WrittenDuration(text) == nil) }

  private func at(_ text: String) throws -> Timestamp { try Timestamp(rfc3339: text) }

  private func busy(_ start: String, _ end: String) throws -> TimePeriod {
    try TimePeriod {
      $0.start = try OffsetDateTime(rfc3339: start)
      $0.end = try OffsetDateTime(rfc3339: end)
    }
  }

  @Test func slotsAreTheFreePartsOfTheWindows() throws {
    let day = try at("2026-11-23T00:00:00Z")..<at("2026-11-24T00:00:00Z")
    let periods = [
      try busy("2026-11-23T10:00:00Z", "2026-11-23T11:00:00Z"),
      try busy("2026-11-23T09:00:00Z", "2026-11-23T12:00:00Z"),
      try busy("2026-11-22T20:00:00Z", "2026-11-23T08:00:00Z"),
      try busy("2026-11-23T12:20:00Z", "2026-11-25T00:00:00Z"),
      // Empty or reversed.
      try busy("2026-11-23T08:30:00Z", "2026-11-23T08:30:00Z"), TimePeriod(),
    ]
    let slots = FreeSlots(in: [day], busy: periods).slots
    #expect(
      slots == [
        try at("2026-11-23T08:00:00Z")..<at("2026-11-23T09:00:00Z"),
        try at("2026-11-23T12:00:00Z")..<at("2026-11-23T12:20:00Z"),
      ])
    #expect(FreeSlots(in: [day], busy: periods, minimum: 1800).slots == [slots[0]])
    #expect(FreeSlots(in: [day], busy: []).slots == [day])
  }

  @Test func windowsFollowTheClocksOfTheZone() throws {
    // The clocks go back on 25 October.
    let span = try at("2026-10-24T08:00:00Z")..<at("2026-10-26T10:00:00Z")
    #expect(
      reader.windows(of: 9 * 3600..<17 * 3600, in: span) == [
        try at("2026-10-24T08:00:00Z")..<at("2026-10-24T15:00:00Z"),
        try at("2026-10-25T08:00:00Z")..<at("2026-10-25T16:00:00Z"),
        try at("2026-10-26T08:00:00Z")..<at("2026-10-26T10:00:00Z"),
      ])
    let whole = reader.windows(of: 0..<86_400, in: try at("2026-10-24T22:00:00Z")..<at("2026-10-25T23:00:00Z"))
    #expect(whole == [try at("2026-10-24T22:00:00Z")..<at("2026-10-25T23:00:00Z")], "a day of 25 hours")
  }
}
