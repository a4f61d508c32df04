// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import Synchronization
import TestSupport
import Testing

/// The question, the request and the output of every command that makes a change.
@Suite(.takesTurns) struct ChangeOutputTests {
  private let api = ScriptedCalendarAPI()
  private let harness: CommandHarness

  init() async throws {
    for (call, json) in Self.resources { api.on(call, json) }
    for change in Self.changes {
      let answer = change.answer
      api.on(change.call) { _ in HTTPResponse(status: answer.isEmpty ? 204 : 200, body: Array(answer.utf8)) }
    }
    harness = try await CommandHarness.signedIn(to: api)
  }

  private static let resources = [
    "GET calendars/primary/events": #"{"timeZone": "Europe/Berlin", "items": []}"#,
    "GET calendars/primary/events/e1": """
    {"id": "e1", "etag": "\\"7\\"", "summary": "Lunch", "status": "confirmed", "location": "Rome",
    "start": {"dateTime": "2026-11-23T12:00:00+01:00", "timeZone": "Europe/Berlin"},
    "end": {"dateTime": "2026-11-23T13:00:00+01:00", "timeZone": "Europe/Berlin"},
    "attendees": [{"email": "me@x.org", "self": true}, {"email": "bo@x.org"}, {"email": "room@x.org", "resource": true}]}
    """,
    "GET calendars/primary/events/series": """
    {"id": "series", "recurrence": ["RRULE:FREQ=DAILY"], "start": {"date": "2026-11-23"}, "end": {"date": "2026-11-24"},
    "attendees": [{"email": "me@x.org", "self": true}]}
    """,
    "GET calendars/primary/events/one": """
    {"id": "one", "etag": "\\"o1\\"", "recurringEventId": "series", "recurrence": [], "attendeesOmitted": true, "summary": "One",
    "start": {"date": "2026-11-23"}, "end": {"date": "2026-11-24"}}
    """,
    "GET calendars/work": #"{"id": "work", "etag": "\"c1\"", "summary": "Work"}"#,
    "GET calendars/primary": #"{"id": "me@x.org", "etag": "\"c2\"", "summary": "Me"}"#,
    "GET users/me/calendarList/work": #"{"id": "work", "etag": "\"l1\"", "summary": "Work", "hidden": true}"#,
    "GET calendars/primary/acl/user:bo@x.org":
      #"{"id": "user:bo@x.org", "etag": "\"a1\"", "role": "reader", "scope": {"type": "user", "value": "bo@x.org"}}"#,
  ]

  private struct Change {
    let arguments: [String]
    /// The HTTP method and path of the request, and the API method's name.
    let call: String
    let method: String
    /// The version on which the request depends, where the API has one.
    var etag: String?
    var answer = ""
    let title: String
    var fields: [String] = []
    var notes: [String] = []
    let sentence: String
  }

  private static let tea =
    #"{"id": "new", "summary": "Tea", "start": {"date": "2026-11-23"}, "end": {"date": "2026-11-24"}}"#
  private static let rule =
    #"{"id": "user:ann@x.org", "role": "writer", "scope": {"type": "user", "value": "ann@x.org"}}"#

  private static let changes: [Change] = [
    Change(
      arguments: ["events", "add", "--title", "Tea", "--start", "tomorrow"], call: "POST calendars/primary/events",
      method: "events.insert", answer: tea, title: "Add event \"Tea\" to calendar primary",
      fields: ["when     Mon 2026-11-23 all day", "summary  Tea"],
      sentence: "Added \"Tea\", Mon 2026-11-23 all day: new"),
    Change(
      arguments: ["events", "quick-add", "Tea tomorrow"], call: "POST calendars/primary/events/quickAdd",
      method: "events.quickAdd", answer: tea, title: "Add an event to calendar primary",
      fields: ["text  Tea tomorrow"], sentence: "Added \"Tea\", Mon 2026-11-23 all day: new"),
    Change(
      arguments: ["events", "edit", "e1", "--title", "Tea", "--clear", "location"],
      call: "PATCH calendars/primary/events/e1", method: "events.patch", etag: "\"7\"", answer: tea,
      title: "Change event \"Lunch\" in calendar primary",
      fields: ["location  Rome → (cleared)", "summary   Lunch → Tea"],
      notes: ["Guests who are notified: none of 1 (see --send-updates)."],
      sentence: "Changed \"Tea\", Mon 2026-11-23 all day"),
    Change(
      arguments: ["events", "delete", "e1", "--send-updates", "external"],
      call: "DELETE calendars/primary/events/e1", method: "events.delete", etag: "\"7\"",
      title: "Delete event \"Lunch\" from calendar primary",
      fields: ["when  Mon 2026-11-23 12:00–13:00 Europe/Berlin → (cleared)"],
      notes: ["Guests who are notified: those of 1 who do not use Google Calendar."],
      sentence: "Deleted \"Lunch\", Mon 2026-11-23 12:00–13:00"),
    Change(
      arguments: ["events", "delete", "series"], call: "DELETE calendars/primary/events/series",
      method: "events.delete", title: "Delete event series from calendar primary",
      fields: ["when  Mon 2026-11-23 all day → (cleared)"],
      notes: ["The event is a series: all of its events are affected."],
      sentence: "Deleted series, Mon 2026-11-23 all day"),
    Change(
      arguments: ["events", "move", "one", "--to", "other", "--send-updates", "all"],
      call: "POST calendars/primary/events/one/move", method: "events.move", etag: "\"o1\"", answer: tea,
      title: "Move event \"One\", Mon 2026-11-23 all day", fields: ["calendar  primary → other"],
      notes: ["The event is one of a series: the others do not change.", "Guests who are notified: all 0."],
      sentence: "Moved \"Tea\" to calendar other"),
    Change(
      arguments: ["calendars", "add", "--title", "Tea", "--zone", "Europe/Rome"], call: "POST calendars",
      method: "calendars.insert", answer: #"{"id": "new", "summary": "Tea"}"#, title: "Create a calendar",
      fields: ["summary   Tea", "timeZone  Europe/Rome"], sentence: "Created \"Tea\": new"),
    Change(
      arguments: ["calendars", "edit", "work", "--title", "Tea", "--description", "d", "--location", "l"],
      call: "PATCH calendars/work", method: "calendars.patch", etag: "\"c1\"", answer: #"{"id": "new"}"#,
      title: "Change calendar \"Work\"", fields: ["description  d", "location     l", "summary      Work → Tea"],
      sentence: "Changed new"),
    Change(
      arguments: ["calendars", "delete", "work"], call: "DELETE calendars/work", method: "calendars.delete",
      etag: "\"c1\"",
      title: "Delete calendar \"Work\"",
      notes: ["All of its events are deleted, for everyone who sees it. This cannot be undone."],
      sentence: "Deleted \"Work\""),
    Change(
      arguments: ["calendars", "clear"], call: "POST calendars/primary/clear", method: "calendars.clear",
      title: "Delete all events of the primary calendar, \"Me\"", notes: ["This cannot be undone."],
      sentence: "Deleted all events of \"Me\""),
    Change(
      arguments: ["calendars", "subscribe", "work", "--name", "Job", "--selected", "no"],
      call: "POST users/me/calendarList", method: "calendarList.insert",
      answer: #"{"id": "work", "summary": "Work", "summaryOverride": "Job"}"#, title: "Add a calendar to the list",
      fields: ["id               work", "selected         false", "summaryOverride  Job"],
      sentence: "Subscribed to \"Job\""),
    Change(
      arguments: ["calendars", "customize", "work", "--hidden", "no", "--color-id", "9"],
      call: "PATCH users/me/calendarList/work", method: "calendarList.patch", etag: "\"l1\"",
      answer: #"{"id": "work", "summary": "Work"}"#, title: "Change \"Work\" on the list",
      fields: ["colorId  9", "hidden   true → false"], sentence: "Changed \"Work\""),
    Change(
      arguments: ["calendars", "unsubscribe", "work"], call: "DELETE users/me/calendarList/work",
      method: "calendarList.delete", etag: "\"l1\"", title: "Remove calendar \"Work\" from the list",
      notes: ["The calendar and its events are not deleted."], sentence: "Unsubscribed from \"Work\""),
    Change(
      arguments: ["acl", "add", "--user", "ann@x.org", "--role", "writer"], call: "POST calendars/primary/acl",
      method: "acl.insert", answer: rule, title: "Give access to calendar primary",
      fields: ["who   user ann@x.org", "role  May change events"], notes: ["Notified by e-mail: the affected users."],
      sentence: "Gave access to user ann@x.org: user:ann@x.org"),
    Change(
      arguments: ["acl", "add", "--public", "--role", "free-busy", "--send-updates", "none", "--calendar", "work"],
      call: "POST calendars/work/acl", method: "acl.insert", answer: rule, title: "Give access to calendar work",
      fields: ["who   everyone", "role  May see free and busy times"],
      notes: ["Everyone on the Internet can then see the calendar.", "Notified by e-mail: no one."],
      sentence: "Gave access to user ann@x.org: user:ann@x.org"),
    Change(
      arguments: ["acl", "edit", "user:bo@x.org", "--role", "owner"], call: "PATCH calendars/primary/acl/user:bo@x.org",
      method: "acl.patch", etag: "\"a1\"", answer: rule,
      title: "Change the access of user bo@x.org to calendar primary",
      fields: ["role  May see events → Owner"], notes: ["Notified by e-mail: the affected users."],
      sentence: "Changed the access of user ann@x.org"),
    Change(
      arguments: ["acl", "delete", "user:bo@x.org"], call: "DELETE calendars/primary/acl/user:bo@x.org",
      method: "acl.delete", etag: "\"a1\"", title: "Remove the access of user bo@x.org to calendar primary",
      fields: ["role  May see events → (cleared)"], sentence: "Removed the access of user bo@x.org"),
  ]

  @Test(arguments: changes.indices) func changeIsShownWhole(_ index: Int) async throws {
    let change = Self.changes[index]
    let shown = ([change.title] + change.fields.map { "  \($0)" } + change.notes).map { $0 + "\n" }.joined()
    let dry = await harness.run(change.arguments + ["--dry-run"])
    #expect(dry.output == shown && dry.errors.isEmpty && dry.status == .success, "\(dry.errors)")

    let json = try #require(try await harness.run(change.arguments + ["--dry-run", "--json"]).json.object)
    #expect(json.keys.sorted() == ["changes", "dryRun", "method", "notes", "title"])
    #expect(json["dryRun"] == true && json["method"]?.string == change.method && json["title"]?.string == change.title)
    #expect(json["notes"] == .array(change.notes.map { .string($0) }))
    #expect(json["changes"]?.array?.count == change.fields.count)

    let asked = await harness.run(change.arguments, console: ScriptedConsole(canAsk: true) { _ in "n" })
    #expect(
      asked.errors == shown + "Make this change? [y/N] almanac: Nothing was changed: you did not confirm the change.\n",
      "\(asked.errors)")
    #expect(asked.output.isEmpty && asked.status == .declined)
    #expect(api.writes.isEmpty)
  }

  /// A change that cannot be confirmed asks the server nothing.
  @Test(arguments: changes.indices) func changeWithoutConsentIsRefusedBeforeAnyRequest(_ index: Int) async throws {
    for options in [[], ["--yes", "--dry-run"]] {
      let refused = await harness.run(Self.changes[index].arguments + options)
      #expect(refused.status == .usage && refused.output.isEmpty, "\(options)")
    }
    #expect(api.requests.isEmpty)
  }

  /// The server's resource has changed since the command has read it.
  @Test(arguments: changes.indices) func changeIsConditionalWhereTheAPIHasEtags(_ index: Int) async throws {
    let change = Self.changes[index]
    api.on(change.call) { _ in .refusal(412, "conditionNotMet") }
    let result = await harness.run(change.arguments + ["--yes", "--json"])
    #expect(result.error?["code"]?.string == "conditionNotMet")
    #expect(result.error?["message"]?.string?.contains("Another program has changed it") == (change.etag != nil))
    #expect(api.writes.map { $0.fields["If-Match"] } == [change.etag], "it is not sent again")
  }

  @Test func colorsAreNotIgnored() async throws {
    let colors = ScriptedConsole { _ in ##"{"backgroundColor": "#20f59e", "foregroundColor": "#000000"}"## }
    for command in ["subscribe", "customize"] {
      _ = await harness.run(["calendars", command, "work", "--data", "-", "--yes"], console: colors)
    }
    _ = await harness.run("calendars", "customize", "work", "--color-id", "9", "--yes")
    #expect(api.writes.map { $0.parameters["colorRgbFormat"] } == ["true", "true", nil])
  }

  @Test(arguments: changes.indices) func changeIsSentOnceAndReported(_ index: Int) async throws {
    let change = Self.changes[index]
    let made = await harness.run(change.arguments + ["--yes"])
    #expect(made.output == change.sentence + "\n" && made.errors.isEmpty && made.status == .success, "\(made.errors)")
    let sent = api.writes.map { "\($0.method.rawValue) \($0.url.path(percentEncoded: false).dropFirst(13))" }
    #expect(sent == [change.call])

    let json = try await harness.run(change.arguments + ["--yes", "--json"]).json
    if !change.answer.isEmpty {
      #expect(try json == JSONValue(json: Array(change.answer.utf8)))
    } else if change.method == "calendars.clear" {
      #expect(json == ["cleared": "me@x.org"])
    } else {
      #expect(json == ["deleted": .string(change.arguments[2])])
    }
  }

  @Test(arguments: [
    (["events", "edit", "e1", "--title", "Lunch"], "Nothing to change: \"Lunch\"", "e1"),
    (["events", "edit", "series", "--repeat", "daily"], "Nothing to change: series", "series"),
    (["calendars", "edit", "work", "--title", "Work"], "Nothing to change: \"Work\"", "work"),
    (["calendars", "customize", "work", "--hidden", "yes"], "Nothing to change: \"Work\"", "work"),
    (["acl", "edit", "user:bo@x.org", "--role", "reader"], "Nothing to change: user bo@x.org", "user:bo@x.org"),
  ])
  func unchangedResourceIsNotSent(_ arguments: [String], _ sentence: String, _ id: String) async throws {
    for options in [["--yes"], ["--dry-run"]] {
      #expect(await harness.run(arguments + options).output == sentence + "\n")
      #expect(try await harness.run(arguments + options + ["--json"]).json["id"]?.string == id)
    }
    #expect(api.writes.isEmpty)
  }

  // MARK: Outcomes that are not known

  @Test(arguments: [
    ("e1", true), (String(repeating: "x", count: 100), true), (String(repeating: "x", count: 101), false),
    ("\u{E9}", false), ("~", true), ("a b", false),
  ])
  func unknownOutcomeNamesTheIdentifier(_ id: String, _ isNamed: Bool) async throws {
    let attempts = Mutex(0)
    api.on("GET calendars/primary/events/\(id)", #"{"id": "other", "etag": "\"7\"", "summary": "Lunch"}"#)
    api.on("PATCH calendars/primary/events/\(id)") { _ in
      let attempt = attempts.withLock { count in
        count += 1
        return count
      }
      return attempt > 1 ? .refusal(412, "conditionNotMet") : .refusal(503, "backendError")
    }
    let result = await harness.run("events", "edit", id, "--title", "Tea", "--yes", "--json")
    #expect(result.error?["code"]?.string == "outcomeUnknown" && result.error?["exitStatus"] == 1)
    let text =
      "The server's response was lost. The change may have been made. Check before you run the command again."
    #expect(result.error?["message"]?.string?.contains(text) == true, "\(result.errors)")
    #expect(result.error?["message"]?.string?.contains("Its identifier is") == isNamed)
    #expect(result.error?["message"]?.string?.contains(" Its identifier is \(id).") == isNamed)
  }
}
