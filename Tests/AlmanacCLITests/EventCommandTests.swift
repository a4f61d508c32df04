// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// The commands that change events, against a scripted API.
@Suite(.takesTurns) struct EventCommandTests {
  private let api = ScriptedCalendarAPI()
  private let harness: CommandHarness
  private static let event = """
    {"id": "e1", "etag": "\\"7\\"", "summary": "Lunch", "status": "confirmed", "location": "Rome",
    "start": {"dateTime": "2026-11-23T12:00:00+01:00", "timeZone": "Europe/Berlin"},
    "end": {"dateTime": "2026-11-23T13:00:00+01:00", "timeZone": "Europe/Berlin"},
    "attendees": [{"email": "me@x.org", "self": true}, {"email": "bo@x.org"}]}
    """

  init() async throws {
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    api.on("GET calendars/primary/events/e1", Self.event)
    harness = try await CommandHarness.signedIn(to: api)
  }

  // MARK: Consent

  @Test(arguments: [nil, "", "n", "no", "yess", "j", "y", "Y", "yes", " YES\r"])
  func onlyAConfirmedChangeIsMade(_ response: String?) async throws {
    api.on("DELETE calendars/primary/events/e1") { _ in HTTPResponse(status: 204) }
    let console = ScriptedConsole(canAsk: true) { _ in response }
    let result = await harness.run("events", "delete", "e1", "--json", console: console)
    let isConfirmed = response?.lowercased().contains(/^ ?y(es)?\r?$/) == true
    #expect(result.status == (isConfirmed ? .success : .declined), "\(result.errors)")
    #expect(result.error?["code"]?.string == (isConfirmed ? nil : "declined"))
    #expect(api.writes.count == (isConfirmed ? 1 : 0))
  }

  // MARK: Edit

  @Test func editSendsOnlyWhatIsDifferentAndKeepsTheLength() async throws {
    api.on("PATCH calendars/primary/events/e1", Self.event)
    let result = await harness.run(
      "events", "edit", "e1", "--title", "Lunch", "--start", "2026-11-24T12:30", "--guest", "ann@x.org", "--guest",
      "BO@x.org", "--yes", "--json")
    #expect(result.status == .success, "\(result.errors)")
    let body = try #require(api.writes.first?.json?.object)
    #expect(body.keys.sorted() == ["attendees", "end", "start"])
    #expect(body["end"]?["dateTime"]?.string == "2026-11-24T13:30:00+01:00")
    #expect(body["attendees"]?.array?.map { $0["email"]?.string } == ["me@x.org", "bo@x.org", "ann@x.org"])
  }

  @Test func flightKeepsTheZonesOfItsStartAndEnd() async throws {
    let flight = """
      {"id": "e1", "etag": "\\"7\\"", "summary": "Flight",
      "start": {"dateTime": "2026-11-23T12:00:00+01:00", "timeZone": "Europe/Madrid"},
      "end": {"dateTime": "2026-11-24T02:00:00+01:00", "timeZone": "Asia/Tokyo", "terminal": "2"}}
      """
    api.on("GET calendars/primary/events/e1", flight)
    api.on("PATCH calendars/primary/events/e1", flight)
    let shown = await harness.run("events", "edit", "e1", "--duration", "15h", "--dry-run")
    #expect(
      shown.output.contains("2026-11-23 12:00 Europe/Madrid – 2026-11-24 11:00 Asia/Tokyo"), "\(shown.output)")
    for arguments in [["--duration", "15h"], ["--start", "2026-11-23T13:00"]] {
      let result = await harness.run(["events", "edit", "e1", "--yes"] + arguments)
      #expect(result.status == .success, "\(result.errors)")
    }
    #expect(api.writes.first?.json == ["end": ["dateTime": "2026-11-24T03:00:00+01:00"]])
    #expect(
      api.writes.last?.json
        == [
          "start": ["dateTime": "2026-11-23T13:00:00+01:00"], "end": ["dateTime": "2026-11-24T03:00:00+01:00"],
        ])
    // A named zone applies to start and end.
    let moved = await harness.run("events", "edit", "e1", "--duration", "15h", "--zone", "Europe/Rome", "--yes")
    #expect(moved.status == .success, "\(moved.errors)")
    #expect(api.writes.last?.json?["start"]?["timeZone"] == "Europe/Rome")
    #expect(api.writes.last?.json?["end"]?["timeZone"] == "Europe/Rome")
  }

  @Test func timedEventBecomesAllDay() async throws {
    api.on("PATCH calendars/primary/events/e1", Self.event)
    let result = await harness.run(
      "events", "edit", "e1", "--start", "2026-12-24", "--end", "2026-12-26", "--yes")
    #expect(result.status == .success, "\(result.errors)")
    let body = try #require(api.writes.first?.json)
    #expect(body["start"]?["date"]?.string == "2026-12-24")
    #expect(body["start"]?["dateTime"] == .null)
    #expect(body["end"]?["date"]?.string == "2026-12-27", "the end is exclusive")
  }

  @Test func patchComesFromStandardInputAndOptionsAreAppliedAfterIt() async throws {
    api.on("PATCH calendars/primary/events/e1", Self.event)
    let console = ScriptedConsole { _ in #"{"summary": "Tea", "location": null, "reminders": {"useDefault": false}}"# }
    let result = await harness.run(
      ["events", "edit", "e1", "--data", "-", "--title", "Dinner", "--yes"], console: console)
    #expect(result.status == .success, "\(result.errors)")
    #expect(api.writes.first?.json == ["summary": "Dinner", "location": .null, "reminders": ["useDefault": false]])
  }

  @Test func omittedGuestsAreNotRemoved() async throws {
    api.on(
      "GET calendars/primary/events/e1",
      Self.event.replacing("\"attendees\"", with: "\"attendeesOmitted\": true, \"attendees\""))
    let result = await harness.run("events", "edit", "e1", "--guest", "ann@x.org", "--yes", "--json")
    #expect(result.status == .refused)
    #expect(result.error?["code"]?.string == "invalidRequest")
    #expect(api.writes.isEmpty)
  }

  // MARK: Add

  @Test(arguments: [
    ("2026-11-24T10:00", "20261231T235959", "20261231T225959Z"), ("2026-11-24T10:00", "20261231", "20261231"),
    ("2026-11-24T10:00", "20261231T225959Z", "20261231T225959Z"), ("2026-11-24", "20261231T235959", "20261231"),
  ])
  func localUntilIsSentInTheTypeThatTheStartRequires(start: String, until: String, sent: String) async throws {
    api.on("POST calendars/primary/events", Self.event)
    let result = await harness.run(
      "events", "add", "--start", start, "--repeat", "FREQ=WEEKLY;UNTIL=\(until)", "--yes")
    #expect(result.status == .success, "\(result.errors)")
    #expect(api.writes.first?.json?["recurrence"] == [.string("RRULE:FREQ=WEEKLY;UNTIL=\(sent)")])
  }

  /// The clocks go from 02:00 to 03:00 on 28 March 2027.
  @Test(arguments: [
    ("2027-03-27T09:00", "1d", "2027-03-28T09:00:00+02:00"), ("2027-03-27T09:00", "24h", "2027-03-28T10:00:00+02:00"),
    ("2027-03-27T09:00", "1w2h", "2027-04-03T11:00:00+02:00"), ("2027-03-27T02:30", "1d", "2027-03-28T03:30:00+02:00"),
    ("2027-10-30T09:00", "1d1h", "2027-10-31T10:00:00+01:00"),
  ])
  func durationInDaysKeepsTheTimeOfDay(start: String, duration: String, end: String) async throws {
    api.on("POST calendars/primary/events", Self.event)
    let result = await harness.run(
      "events", "add", "--start", start, "--duration", duration, "--zone", "Europe/Rome", "--yes")
    #expect(result.status == .success, "\(result.errors)")
    #expect(api.writes.first?.json?["end"]?["dateTime"]?.string == end)
  }

  @Test func attachmentsConferencesAndLabelsAreNotIgnored() async throws {
    api.on("POST calendars/primary/events", Self.event)
    api.on("PATCH calendars/primary/events/e1", Self.event)
    let console = ScriptedConsole { _ in
      #"""
      {"start": {"date": "2026-11-23"}, "end": {"date": "2026-11-24"}, "attachments": [{"fileUrl": "https://a.example/"}],
      "conferenceData": {"createRequest": {"requestId": "1"}}, "eventLabelId": "l"}
      """#
    }
    _ = await harness.run(["events", "add", "--data", "-", "--yes"], console: console)
    let label = ScriptedConsole { _ in #"{"eventLabelId": "l"}"# }
    _ = await harness.run(["events", "edit", "e1", "--data", "-", "--yes"], console: label)
    try #require(api.writes.count == 2)
    #expect(api.writes[0].parameters["supportsAttachments"] == "true")
    #expect(api.writes[0].parameters["conferenceDataVersion"] == "1")
    #expect(api.writes[0].parameters["eventLabelVersion"] == "1")
    #expect(api.writes[1].parameters["supportsAttachments"] == nil)
    #expect(api.writes[1].parameters["eventLabelVersion"] == "1")
  }
}
