// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import Synchronization
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

  private static let writes: [[String]] = [
    ["events", "add", "--title", "Tea", "--start", "tomorrow"], ["events", "quick-add", "Tea tomorrow"],
    ["events", "edit", "e1", "--title", "Tea"], ["events", "delete", "e1"], ["events", "move", "e1", "--to", "other"],
  ]

  // MARK: Consent

  @Test(arguments: writes) func withoutATerminalNothingIsAskedAndNothingSent(_ arguments: [String]) async throws {
    let result = await harness.run(arguments + ["--json"])
    #expect(result.status == .usage)
    #expect(result.error?["message"]?.string?.contains("--yes") == true)
    #expect(api.writes.isEmpty)
  }

  @Test(arguments: writes, [nil, "", "n", "no", "yess", "j"])
  func unconfirmedChangeIsNotMade(_ arguments: [String], _ response: String?) async throws {
    let console = ScriptedConsole(canAsk: true) { errors in
      #expect(errors.hasSuffix("Make this change? [y/N] "))
      return response
    }
    let result = await harness.run(arguments + ["--json"], console: console)
    #expect(result.status == .declined)
    #expect(result.error?["code"]?.string == "declined")
    #expect(result.output.isEmpty)
    #expect(api.writes.isEmpty)
  }

  @Test(arguments: writes) func dryRunShowsAndSendsNothing(_ arguments: [String]) async throws {
    let text = await harness.run(arguments + ["--dry-run"])
    #expect(text.status == .success, "\(text.errors)")
    #expect(!text.output.isEmpty)
    let json = try await harness.run(arguments + ["--dry-run", "--json"]).json
    #expect(json["dryRun"]?.bool == true)
    #expect(json["method"]?.string?.hasPrefix("events.") == true)
    #expect(json["title"]?.string?.isEmpty == false)
    #expect(api.writes.isEmpty)
    #expect(await harness.run(arguments + ["--dry-run", "--yes"]).status == .usage)
  }

  @Test(arguments: ["y", "Y", "yes", " YES\r"]) func confirmedChangeIsMade(_ response: String) async throws {
    api.on("PATCH calendars/primary/events/e1", Self.event)
    let console = ScriptedConsole(canAsk: true) { _ in response }
    let result = await harness.run(["events", "edit", "e1", "--title", "Tea"], console: console)
    #expect(result.status == .success, "\(result.errors)")
    #expect(result.errors.contains("summary  Lunch → Tea"))
    #expect(api.writes.count == 1)
  }

  @Test func titleBringsNoControlCharactersToTheTerminal() async throws {
    api.on(
      "GET calendars/primary/events/e1",
      Self.event.replacing("Lunch", with: "\\u001b[31mLun\u{202E}ch").replacing("Rome", with: "R\\u009bome"))
    let console = ScriptedConsole(canAsk: true) { _ in "n" }
    let shown = await harness.run(
      ["events", "edit", "e1", "--location", "\u{1B}]0;x\u{7}"], console: console)
    for text in [shown.errors, await harness.run("events", "get", "e1").output] {
      #expect(text.contains("Lun"))
      #expect(
        text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x9B && $0 != "\u{202E}") })
    }
  }

  // MARK: Edit

  @Test func editIsConditionalAndSendsOnlyWhatIsDifferent() async throws {
    api.on("PATCH calendars/primary/events/e1", Self.event)
    let result = await harness.run(
      "events", "edit", "e1", "--title", "Lunch", "--start", "2026-11-24T12:30", "--clear", "location", "--guest",
      "ann@x.org", "--guest", "BO@x.org", "--send-updates", "all", "--yes", "--json")
    #expect(result.status == .success, "\(result.errors)")
    let request = try #require(api.writes.first)
    #expect(request.fields["If-Match"] == "\"7\"")
    #expect(request.parameters["sendUpdates"] == "all")
    let body = try #require(request.json?.object)
    #expect(body.keys.sorted() == ["attendees", "end", "location", "start"])
    #expect(body["location"] == .null)
    #expect(body["start"]?["dateTime"]?.string == "2026-11-24T12:30:00+01:00")
    #expect(body["end"]?["dateTime"]?.string == "2026-11-24T13:30:00+01:00", "the length is kept")
    #expect(body["attendees"]?.array?.map { $0["email"]?.string } == ["me@x.org", "bo@x.org", "ann@x.org"])
    #expect(try result.json["id"]?.string == "e1")
  }

  @Test func eventThatChangedMeanwhileIsNotWritten() async throws {
    for call in [
      "PATCH calendars/primary/events/e1", "DELETE calendars/primary/events/e1",
      "POST calendars/primary/events/e1/move",
    ] {
      api.on(call, #"{"error":{"errors":[{"reason":"conditionNotMet"}],"code":412}}"#, status: 412)
    }
    for arguments in [["edit", "e1", "--title", "Tea"], ["delete", "e1"], ["move", "e1", "--to", "other"]] {
      let result = await harness.run(["events"] + arguments + ["--yes", "--json"])
      #expect(result.status == .refused)
      #expect(result.error?["code"]?.string == "conditionNotMet")
      #expect(result.error?["message"]?.string?.contains("Another program has changed it") == true)
    }
    #expect(api.writes.count == 3, "none is sent again")
    #expect(api.writes.allSatisfy { $0.fields["If-Match"] == "\"7\"" })
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

  @Test func timesAreThoseOfTheZoneThatIsShown() async throws {
    api.on(
      "GET calendars/primary/events/e1",
      """
      {"id": "e1", "summary": "Call", "start": {"dateTime": "2026-11-23T18:00:00+01:00", "timeZone": "America/New_York"},
      "end": {"dateTime": "2026-11-23T19:00:00+01:00", "timeZone": "America/New_York"}}
      """)
    let shown = await harness.run("events", "get", "e1")
    #expect(shown.output.contains("2026-11-23 12:00–13:00 America/New_York"), "\(shown.output)")
  }

  @Test func changeWhoseResponseWasLostIsFound() async throws {
    let isWritten = Mutex(false)
    api.on("PATCH calendars/primary/events/e1") { _ in
      let wasWritten = isWritten.withLock { isWritten in
        defer { isWritten = true }
        return isWritten
      }
      return wasWritten ? .refusal(412, "conditionNotMet") : .refusal(503, "backendError")
    }
    // The event does not show the change, so its outcome is unknown: another change can have followed it.
    let unknown = await harness.run("events", "edit", "e1", "--title", "Tea", "--yes", "--json")
    #expect(unknown.status == .failure)
    #expect(unknown.error?["code"]?.string == "outcomeUnknown")
    #expect(unknown.error?["message"]?.string?.contains("may have been made") == true)
    #expect(!unknown.errors.contains("Nothing was written"))
    isWritten.withLock { $0 = false }
    api.on("GET calendars/primary/events/e1") { _ in
      let title = isWritten.withLock { $0 } ? "Tea" : "Lunch"
      return HTTPResponse(status: 200, body: Array(#"{"id":"e1","etag":"\"7\"","summary":"\#(title)"}"#.utf8))
    }
    let found = await harness.run("events", "edit", "e1", "--title", "Tea", "--yes", "--json")
    #expect(found.status == .success, "\(found.errors)")
    #expect(try found.json["summary"]?.string == "Tea")
  }

  @Test func unchangedEventSendsNothing() async throws {
    let result = await harness.run("events", "edit", "e1", "--title", "Lunch", "--yes", "--json")
    #expect(result.status == .success, "\(result.errors)")
    #expect(try result.json["id"]?.string == "e1")
    #expect(api.writes.isEmpty)
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

  @Test(arguments: ["", "[]", "nonsense", #"{"a":1,"a":2}"#]) func dataWithoutAnObjectIsAUsageError(_ data: String)
    async throws
  {
    let console = ScriptedConsole { _ in data }
    let result = await harness.run(["events", "add", "--data", "-", "--yes"], console: console)
    #expect(result.status == .usage)
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

  @Test func notifiedGuestsAreStated() async throws {
    let none = await harness.run("events", "delete", "e1", "--dry-run")
    #expect(none.output.contains("Guests who are notified: none of 1"))
    let all = await harness.run("events", "delete", "e1", "--dry-run", "--send-updates", "all")
    #expect(all.output.contains("Guests who are notified: all 1"))
    #expect(await harness.run("events", "delete", "e1", "--yes", "--send-updates", "some").status == .usage)
  }

  // MARK: Add

  @Test func lostResponseDoesNotAddTwice() async throws {
    let event = Self.event
    api.on("POST calendars/primary/events") { [api] request in
      let id = try #require(request.json?["id"]?.string)
      guard api.writes.count > 1 else {
        api.on("GET calendars/primary/events/\(id)", event.replacing("e1", with: id))
        throw TransportError(.connectionLost, "The connection was lost.")
      }
      return HTTPResponse(status: 409, body: Array(#"{"error":{"errors":[{"reason":"duplicate"}],"code":409}}"#.utf8))
    }
    let result = await harness.run("events", "add", "--title", "Lunch", "--start", "tomorrow 12:00", "--yes", "--json")
    #expect(result.status == .success, "\(result.errors)")
    let ids = api.writes.map { $0.json?["id"]?.string }
    #expect(ids.count == 2 && ids[0] == ids[1])
    #expect(try result.json["id"]?.string == ids[0])
  }

  @Test func optionsBecomeFields() async throws {
    api.on("POST calendars/primary/events", Self.event)
    let result = await harness.run(
      "events", "add", "--title", "Stand-up", "--start", "monday 9:00", "--duration", "15m", "--repeat", "weekdays",
      "--guest", "bo@x.org", "--remind", "10m", "--remind", "email:1h", "--show-as", "free", "--zone", "Europe/Rome",
      "--yes")
    #expect(result.status == .success, "\(result.errors)")
    let body = try #require(api.writes.first?.json)
    #expect(body["start"] == ["dateTime": "2026-11-23T09:00:00+01:00", "timeZone": "Europe/Rome"])
    #expect(body["end"]?["dateTime"]?.string == "2026-11-23T09:15:00+01:00")
    #expect(body["recurrence"] == ["RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"])
    #expect(
      body["reminders"]
        == [
          "useDefault": false,
          "overrides": [["method": "popup", "minutes": 10], ["method": "email", "minutes": 60]],
        ])
    #expect(body["transparency"]?.string == "transparent")
    #expect(api.writes.first?.parameters["sendUpdates"] == "none")
  }

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

  @Test(arguments: [
    ["--title", "A"], ["--start", "soon"], ["--start", "tomorrow", "--end", "tomorrow 9:00"],
    ["--start", "tomorrow 9:00", "--end", "tomorrow 8:00"], ["--start", "tomorrow", "--end", "yesterday"],
    ["--start", "tomorrow", "--duration", "90m"], ["--start", "tomorrow", "--end", "tomorrow", "--duration", "1d"],
    ["--start", "tomorrow", "--repeat", "FREQ=SOMETIMES"], ["--start", "tomorrow", "--guest", "bo"],
    ["--start", "tomorrow", "--remind", "soon"], ["--start", "tomorrow", "--show-as", "x"],
    ["--start", "tomorrow", "--zone", "Mars/Olympus"], ["--start", "tomorrow", "--repeat", "FREQ=HOURLY"],
  ])
  func invalidOptionIsAUsageError(_ options: [String]) async throws {
    let result = await harness.run(["events", "add", "--yes"] + options)
    #expect(result.status == .usage, "\(result.output)")
    #expect(api.writes.isEmpty)
  }

  @Test func localUntilInDataIsAUsageError() async throws {
    let console = ScriptedConsole { _ in #"{"recurrence": ["RRULE:FREQ=WEEKLY;UNTIL=20260616T100000"]}"# }
    let result = await harness.run(
      ["events", "add", "--start", "tomorrow 9:00", "--data", "-", "--yes"], console: console)
    #expect(result.status == .usage && result.errors.contains("write UNTIL in UTC"), "\(result.errors)")
    #expect(api.writes.isEmpty)
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

  // MARK: Others

  @Test func deletionIsReportedAsJSONAndAsText() async throws {
    api.on("DELETE calendars/primary/events/e1", "", status: 204)
    #expect(try await harness.run("events", "delete", "e1", "--yes", "--json").json == ["deleted": "e1"])
    #expect(
      await harness.run("events", "delete", "e1", "--yes").output == "Deleted \"Lunch\", Mon 2026-11-23 12:00–13:00\n")
  }

  @Test func deletedEventIsNotChangedAgain() async throws {
    api.on("GET calendars/primary/events/e1", #"{"id": "e1", "status": "cancelled"}"#)
    let result = await harness.run("events", "edit", "e1", "--title", "A", "--yes", "--json")
    #expect(result.error?["code"]?.string == "deleted")
    #expect(api.writes.isEmpty)
  }

  @Test func quickAddIsSentOnce() async throws {
    api.on("POST calendars/primary/events/quickAdd") { _ in throw TransportError(.connectionLost, "Lost.") }
    let result = await harness.run("events", "quick-add", "Tea tomorrow", "--yes")
    #expect(result.status == .failure)
    #expect(api.writes.count == 1)
    #expect(api.writes.first?.parameters["text"] == "Tea tomorrow")
  }

  @Test func missingEventIsAnError() async throws {
    for arguments in [["get", "e2"], ["edit", "e2", "--title", "A", "--yes"], ["delete", "e2", "--yes"]] {
      let result = await harness.run(["events"] + arguments + ["--json"])
      #expect(result.status == .refused)
      #expect(result.error?["code"]?.string == "notFound")
    }
  }

  @Test func listIsAlignedByDisplayWidth() async throws {
    api.on(
      "GET calendars/primary/events",
      """
      {"timeZone": "Europe/Berlin", "items": [\(Self.event),
      {"id": "e2", "summary": "会議", "start": {"date": "2026-11-24"}, "end": {"date": "2026-11-26"}}]}
      """)
    let result = await harness.run("events", "list", "--from", "2026-11-23", "--days", "3")
    #expect(
      result.output == """
        WHEN                                  TITLE  ID
        Mon 2026-11-23 12:00–13:00            Lunch  e1
        Tue 2026-11-24 to 2026-11-25 all day  会議   e2
        Times are in the zone Europe/Berlin.

        """)
    let json = try await harness.run("events", "list", "--limit", "1", "--json").json
    #expect(json.array?.count == 1)
  }

  @Test func groupHasHelp() async throws {
    let harness = CommandHarness()
    let help = await harness.run("events", "--help")
    #expect(help.status == .success)
    for verb in ["list", "get", "add", "quick-add", "edit", "move", "delete"] {
      #expect(help.output.contains("events \(verb)"))
    }
    #expect(await harness.run("events").status == .usage)
    #expect(await harness.run("events", "s3cret").errors.contains("s3cret") == false)
    #expect(await harness.run("events", "list", "--help").output.contains("Usage: almanac events list"))
    #expect(await harness.run("calendars", "--help").output.contains("calendars subscribe"))
  }
}
