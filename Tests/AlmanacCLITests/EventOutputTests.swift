// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// The requests and the complete output of the commands that read events.
@Suite(.hangLimit) struct EventOutputTests {
  private let api = ScriptedCalendarAPI()

  private static let events: [(json: String, row: String)] = [
    (
      #"{"id": "e1", "summary": "Lunch", "start": {"dateTime": "2026-11-23T09:05:00+01:00"}, "end": {"dateTime": "2026-11-23T10:00:00+01:00"}}"#,
      "Mon 2026-11-23 09:05–10:00               Lunch                 e1"
    ),
    (
      #"{"id": "e2", "summary": "Night", "status": "tentative", "start": {"dateTime": "2026-11-23T23:00:00+01:00"}, "end": {"dateTime": "2026-11-24T01:00:00+01:00"}}"#,
      "Mon 2026-11-23 23:00 – 2026-11-24 01:00  Night                 e2"
    ),
    (
      #"{"id": "e3", "summary": "Day", "start": {"date": "2026-11-23"}, "end": {"date": "2026-11-24"}}"#,
      "Mon 2026-11-23 all day                   Day                   e3"
    ),
    (
      #"{"id": "e4", "summary": "Days", "start": {"date": "2026-11-23"}, "end": {"date": "2026-11-25"}}"#,
      "Mon 2026-11-23 to 2026-11-24 all day     Days                  e4"
    ),
    (
      #"{"id": "e5", "summary": "Empty", "start": {"date": "2026-11-23"}, "end": {"date": "2026-11-23"}}"#,
      "Mon 2026-11-23 all day                   Empty                 e5"
    ),
    (
      #"{"id": "e6", "status": "cancelled", "summary": "Gone", "start": {"dateTime": "2026-11-23T08:00:00Z"}}"#,
      "Mon 2026-11-23 08:00                     (deleted) Gone        e6"
    ),
    (
      #"{"id": "e7", "status": "confirmed", "start": {"date": "2026-11-23"}}"#,
      "Mon 2026-11-23                           (no title)            e7"
    ),
    (#"{"summary": "Neither start nor id"}"#, "?                                        Neither start nor id"),
  ]

  @Test func eventsAreATable() async throws {
    api.on(
      "GET calendars/primary/events",
      #"{"timeZone": "Europe/Berlin", "items": [\#(Self.events.map(\.json).joined(separator: ","))]}"#)
    #expect(
      try await api.output("events list")
        == (["WHEN                                     TITLE                 ID"] + Self.events.map(\.row) + [
          "Times are in the zone Europe/Berlin."
        ])
        .map { $0 + "\n" }.joined())
    #expect(try await api.output("events list --limit 1").split(separator: "\n").count == 3)
    let whole = try JSONValue(json: Array(try await api.output("events list --json").utf8))
    #expect(whole == .array(try Self.events.map { try JSONValue(json: Array($0.json.utf8)) }))
    let first = try JSONValue(json: Array(try await api.output("events list --limit 1 --json").utf8))
    #expect(first == .array(try Self.events.prefix(1).map { try JSONValue(json: Array($0.json.utf8)) }))
  }

  /// The requests for the options, on Sunday, 22 November 2026, at noon UTC.
  @Test(arguments: [
    (
      "",
      "timeMin=2026-11-21T20:00:00Z timeMax=2026-11-29T02:00:00Z orderBy=startTime singleEvents=true maxResults=2500"
    ),
    (
      "--days 1",
      "timeMin=2026-11-21T20:00:00Z timeMax=2026-11-23T02:00:00Z orderBy=startTime singleEvents=true maxResults=2500"
    ),
    (
      "--from tomorrow --to tuesday",
      "timeMin=2026-11-22T20:00:00Z timeMax=2026-11-25T02:00:00Z orderBy=startTime singleEvents=true maxResults=2500"
    ),
    (
      "--from now --days 2",
      "timeMin=2026-11-21T20:00:00Z timeMax=2026-11-25T02:00:00Z orderBy=startTime singleEvents=true maxResults=2500"
    ),
    (
      "--from 9:00 --to 10:30",
      "timeMin=2026-11-21T20:00:00Z timeMax=2026-11-23T02:00:00Z orderBy=startTime singleEvents=true maxResults=2500"
    ),
    (
      "--series --limit 2499",
      "timeMin=2026-11-21T23:00:00Z timeMax=2026-11-28T23:00:00Z singleEvents=false maxResults=2499"
    ),
    (
      "--deleted --query tea --limit 2501",
      "timeMin=2026-11-21T20:00:00Z timeMax=2026-11-29T02:00:00Z orderBy=startTime singleEvents=true maxResults=2500 showDeleted=true q=tea"
    ),
    (
      "--zone UTC",
      "timeMin=2026-11-21T21:00:00Z timeMax=2026-11-29T03:00:00Z orderBy=startTime singleEvents=true maxResults=2500 timeZone=UTC"
    ),
  ])
  func optionsOfAListAreParameters(_ options: String, _ parameters: String) async throws {
    var expected = ["timeZone": "Europe/Berlin"]
    for parameter in parameters.split(separator: " ") {
      let parts = parameter.split(separator: "=").map(String.init)
      expected[parts[0]] = parts[1]
    }
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    _ = try await api.output("events list \(options)")
    let last = try #require(api.requests.last)
    #expect(last.parameters == expected)
    // Without --zone, the calendar's zone is requested.
    #expect(api.requests.count == (options.contains("--zone") ? 1 : 2))
  }

  @Test func eventIsShownWithAllItsFields() async throws {
    let json = """
      {"id": "e1", "etag": "\\"7\\"", "summary": "Tea", "location": "Rome", "description": "At five", "status": "confirmed",
      "start": {"dateTime": "2026-11-23T17:00:00+01:00", "timeZone": "Europe/Rome"}, "recurringEventId": "s1",
      "end": {"dateTime": "2026-11-23T18:00:00+01:00", "timeZone": "Europe/Rome"}, "recurrence": ["RRULE:FREQ=DAILY", "EXDATE:x"],
      "organizer": {"email": "me@x.org"}, "hangoutLink": "https://meet.example/", "htmlLink": "https://calendar.example/",
      "attendees": [{"email": "me@x.org", "responseStatus": "accepted"}, {"email": "bo@x.org"}, {}]}
      """
    api.on("GET calendars/work/events/e1", json)
    api.on("GET calendars/primary/events/e2", "{}")
    #expect(
      try await api.output("events get e1 --calendar work") == """
        Title        Tea
        When         Mon 2026-11-23 17:00–18:00 Europe/Rome
        Repeats      RRULE:FREQ=DAILY EXDATE:x
        Location     Rome
        Description  At five
        Organizer    me@x.org
        Guests       me@x.org (accepted), bo@x.org, ?
        Meeting      https://meet.example/
        Status       confirmed
        Link         https://calendar.example/
        Series       s1
        ID           e1
        Etag         "7"

        """)
    #expect(try await api.output("events get e2") == "Title  (no title)\nWhen   ?\n")
    let written = try JSONValue(json: Array(try await api.output("events get e1 --calendar work --json").utf8))
    #expect(try written == JSONValue(json: Array(json.utf8)))
  }

  @Test(arguments: [
    (
      "2026-11-23T12:00:00+01:00|Europe/Berlin", "2026-11-23T13:00:00+01:00|Europe/Berlin",
      "Mon 2026-11-23 12:00–13:00 Europe/Berlin"
    ),
    (
      "2026-11-23T12:00:00+01:00|America/New_York", "2026-11-23T13:00:00+01:00|",
      "Mon 2026-11-23 06:00–07:00 America/New_York"
    ),
    (
      "2026-11-23T12:00:00+01:00|Mars/Olympus", "2026-11-23T13:00:00+01:00|Mars/Olympus",
      "Mon 2026-11-23 12:00–13:00 +01:00"
    ),
    ("2026-11-23T12:00:00Z|", "2026-11-23T13:00:00Z|", "Mon 2026-11-23 12:00–13:00 Z"),
    (
      "2026-11-23T12:00:00+01:00|Europe/Madrid", "2026-11-24T02:00:00+01:00|Asia/Tokyo",
      "Mon 2026-11-23 12:00 Europe/Madrid – 2026-11-24 10:00 Asia/Tokyo"
    ),
    ("2026-11-23T22:00:00Z|", "2026-11-24T02:09:00+01:00|", "Mon 2026-11-23 22:00 Z – 2026-11-24 02:09 +01:00"),
  ])
  func timesAreThoseOfTheZonesOfTheEvent(_ start: String, _ end: String, _ when: String) async throws {
    let times = [start, end].map { text in
      let parts = text.split(separator: "|", omittingEmptySubsequences: false)
      return #"{"dateTime": "\#(parts[0])"\#(parts[1].isEmpty ? "" : #", "timeZone": "\#(parts[1])""#)}"#
    }
    api.on("GET calendars/primary/events/e1", #"{"start": \#(times[0]), "end": \#(times[1])}"#)
    #expect(try await api.output("events get e1") == "Title  (no title)\nWhen   \(when)\n")
  }
}
