// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Recurrence
import TestSupport
import Testing
import Timekeeping

@Suite struct AgendaTests {
  /// A calendar list with one calendar in a zone, and its events.
  private func agenda(zone: String, now: String, _ events: String, days: Int = 7) async throws -> Agenda {
    let transport = StubTransport { request in
      let path = request.url.path()
      let body =
        if path.hasSuffix("/colors") {
          #"{"kind":"calendar#colors","calendar":{},"event":{}}"#
        } else if path.hasSuffix("/events") {
          #"{"kind":"calendar#events","items":[\#(path.contains("hidden") ? "" : events)]}"#
        } else {
          """
          {"kind":"calendar#calendarList","items":[{"id":"me","summary":"Me","primary":true,"timeZone":"\(zone)"},
          {"id":"hidden","summary":"Hidden","hidden":true}]}
          """
        }
      return HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
    let client = CalendarClient(transport: transport)
    let list = try await PaintedCalendars(client)
    let agenda = try await Agenda(client, list, from: Timestamp(rfc3339: now), days: days)
    let asked = transport.requests.compactMap { $0.url.query() }.joined(separator: "\n")
    #expect(asked.contains("timeZone="))
    #expect(!transport.requests.contains { $0.url.path().contains("hidden") }, "a hidden calendar is not read")
    return agenda
  }

  /// At 02:00 UTC it is still the evening before in New York, and already the morning in Tokyo.
  @Test(arguments: [
    (
      "America/New_York", "2026-03-10T02:00:00Z", "2026-03-09T23:00:00-04:00/2026-03-09T23:30:00-04:00", 7,
      ["9 23:00–23:30"]
    ),
    ("Asia/Tokyo", "2026-03-09T22:00:00Z", "2026-03-10T08:00:00+09:00/2026-03-10T08:00:00+09:00", 7, ["10 08:00"]),
    ("UTC", "2026-03-10T02:00:00Z", "2026-03-10T03:00:00Z/2026-03-11T00:00:00Z", 7, ["10 03:00–00:00"]),
    // An event that began days ago is listed from today.
    (
      "America/New_York", "2026-03-10T02:00:00Z", "2026-03-01T08:00:00-05:00/2026-03-10T08:00:00-04:00", 7,
      ["9 all day", "10 until 08:00"]
    ),
    (
      "UTC", "2026-03-10T02:00:00Z", "2026-03-10T22:00:00Z/2026-03-12T02:00:00Z", 7,
      ["10 from 22:00", "11 all day", "12 until 02:00"]
    ),
    ("UTC", "2026-03-10T02:00:00Z", "2026-03-10T22:00:00Z/2026-03-12T02:00:00Z", 1, ["10 from 22:00"]),
    ("UTC", "2026-03-10T02:00:00Z", "2026-03-09T22:00:00Z/2026-03-10T02:00:00Z", 7, []),
    ("UTC", "2026-03-10T02:00:00Z", "2026-03-11T00:00:00Z/2026-03-11T01:00:00Z", 1, []),
    // An all-day event is listed under its dates, even if the server places it elsewhere by its calendar's zone.
    ("Asia/Tokyo", "2026-03-10T02:00:00Z", "2026-03-09/2026-03-10", 7, []),
    ("America/New_York", "2026-03-10T02:00:00Z", "2026-03-09/2026-03-10", 1, ["9 all day"]),
    ("America/New_York", "2026-03-10T02:00:00Z", "2026-03-10/2026-03-11", 1, []),
    ("UTC", "2026-03-10T02:00:00Z", "2026-03-08/2026-03-12", 7, ["10 day 3 of 4", "11 day 4 of 4"]),
  ])
  func eventStandsUnderEachOfItsDays(
    _ zone: String, _ now: String, _ period: String, _ days: Int, _ expected: [String]
  ) async throws {
    let times = period.split(separator: "/").map { #"{"\#($0.count == 10 ? "date" : "dateTime")":"\#($0)"}"# }
    let event = #"{"id":"e","summary":"Tonight","start":\#(times[0]),"end":\#(times[1])}"#
    let agenda = try await agenda(zone: zone, now: now, event, days: days)
    #expect(agenda.days.flatMap { day in day.items.map { "\(day.date.day) \($0.time)" } } == expected)
    #expect(agenda.items.count == (expected.isEmpty ? 0 : 1))
  }

  /// Walks through an event in quarters of an hour and notes each date.
  private static func reference(_ event: Event, _ span: Range<Timestamp>, _ zone: Zone) -> Set<CivilDate> {
    func walk(_ from: Timestamp, _ to: Timestamp) -> Set<CivilDate> {
      var (instant, days) = (from, Set<CivilDate>())
      while instant < to {
        days.insert(zone.local(at: instant).date)
        instant = instant + .seconds(900)
      }
      return days
    }
    if let first = event.start?.date, let end = event.end?.date {
      let last = max(first, end.adding(days: -1))
      let spanned = walk(span.lowerBound, span.upperBound)
      return spanned.isEmpty
        ? []
        : Set((0...10).map { first.adding(days: $0) }).filter { day in
          day <= last && day >= spanned.min() ?? .max && day <= spanned.max() ?? .min
        }
    }
    guard let start = event.start?.dateTime?.timestamp, let end = event.end?.dateTime?.timestamp else { return [] }
    if start == end { return span.contains(start) ? [zone.local(at: start).date] : [] }
    return walk(max(start, span.lowerBound), min(end, span.upperBound))
  }

  /// The server places all-day events by the zone of their calendar, which ``DaySpan/requested`` has to allow for.
  private static func serves(_ event: Event, _ requested: Range<Timestamp>, _ calendar: Zone) -> Bool {
    if let first = event.start?.date, let end = event.end?.date {
      return calendar.start(of: max(end, first.adding(days: 1))) > requested.lowerBound
        && calendar.start(of: first) < requested.upperBound
    }
    guard let start = event.start?.dateTime?.timestamp, let end = event.end?.dateTime?.timestamp else { return false }
    return end > requested.lowerBound && start < requested.upperBound
  }

  @Test func daysOfRandomEventsMatchAPlainWalk() throws {
    let names = [
      "UTC", "Europe/Berlin", "America/New_York", "America/St_Johns", "America/Sao_Paulo", "America/Havana",
      "Asia/Tokyo",
      "Asia/Kathmandu", "Pacific/Apia", "Pacific/Kiritimati", "Etc/GMT+12", "Australia/Lord_Howe", "Africa/Casablanca",
    ]
    let zones = try names.map { try SystemZoneDatabase.shared.zone($0) }
    // The last two are the changes of St John's across midnight, and the day that Apia skipped.
    let hubs = ["2026-03-29", "2026-11-01", "2008-02-17", "2010-11-07", "2011-12-30"].compactMap {
      try? CivilDate(rfc3339: $0).startOfDayInUTC
    }
    var random = SeededNumbers(seed: 12)
    for round in 0..<10_000 {
      let zone = zones[Int.random(in: zones.indices, using: &random)]
      let quarters = { (range: ClosedRange<Int>) in Duration.seconds(900 * Int.random(in: range, using: &random)) }
      let from = hubs[Int.random(in: hubs.indices, using: &random)] + quarters(-200...200)
      let span = DaySpan(from..<(from + quarters(1...200)), in: zone)
      let start = from + quarters(-300...200)
      var event = Event()
      if Bool.random(using: &random) {
        let first = zone.local(at: start).date
        event.start = EventDateTime(.allDay(first))
        event.end = EventDateTime(.allDay(first.adding(days: Int.random(in: 0...4, using: &random))))
      } else {
        event.start = EventDateTime(.timed(OffsetDateTime(start)))
        event.end = EventDateTime(.timed(OffsetDateTime(start + quarters(0...200))))
      }
      let days = span.days(of: event)
      let expected = Self.reference(event, span.span, zone)
      let calendar = zones[Int.random(in: zones.indices, using: &random)]
      let isServed = days.isEmpty || Self.serves(event, span.requested, calendar)
      guard days == expected.sorted(), isServed else {
        Issue.record(
          "\(round): \(zone), \(span.span), \(String(decoding: event.json(), as: UTF8.self)): \(days), not \(expected), in \(calendar)"
        )
        return
      }
    }
  }
}
