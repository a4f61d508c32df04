// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
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
    ("America/New_York", "2026-03-10T02:00:00Z", "2026-03-09T23:00:00-04:00", "2026-03-09"),
    ("Asia/Tokyo", "2026-03-09T22:00:00Z", "2026-03-10T08:00:00+09:00", "2026-03-10"),
    ("UTC", "2026-03-10T02:00:00Z", "2026-03-10T03:00:00Z", "2026-03-10"),
    // An event that began days ago is listed under today, in the user's zone.
    ("America/New_York", "2026-03-10T02:00:00Z", "2026-03-01T08:00:00-05:00", "2026-03-09"),
  ])
  func eventStandsUnderItsOwnDay(_ zone: String, _ now: String, _ start: String, _ day: String) async throws {
    let event = #"{"id":"e","summary":"Tonight","start":{"dateTime":"\#(start)"},"end":{"dateTime":"\#(start)"}}"#
    let agenda = try await agenda(zone: zone, now: now, event)
    #expect(agenda.days.map(\.date.description) == [day])
  }
}
