// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import Synchronization
import TestSupport
import Testing

/// The question and the request of every command that makes a change.
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
    "GET calendars/primary/events/series":
      #"{"id": "series", "recurrence": ["RRULE:FREQ=DAILY"], "start": {"date": "2026-11-23"}, "end": {"date": "2026-11-24"}}"#,
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

  private struct Change: Sendable {
    let words: [String]
    /// The HTTP method and path of the request, and the API method's name.
    let call: String
    let method: String
    /// The version on which the request depends, where the API has one.
    let etag: String?
    let answer: String

    init(_ words: String, _ call: String, _ method: String, etag: String? = nil, _ answer: String = "") {
      self.words = words.split(separator: " ").map(String.init)
      (self.call, self.method, self.etag, self.answer) = (call, method, etag.map { "\"\($0)\"" }, answer)
    }
  }

  private static let tea = #"{"id": "new", "summary": "Tea", "start": {"date": "2026-11-23"}}"#
  private static let work = #"{"id": "work", "summary": "Work"}"#
  private static let rule = #"{"id": "user:ann@x.org", "role": "writer"}"#

  private static let changes = [
    Change("events add --title Tea --start tomorrow", "POST calendars/primary/events", "events.insert", tea),
    Change("events quick-add Tea", "POST calendars/primary/events/quickAdd", "events.quickAdd", tea),
    Change("events edit e1 --title Tea", "PATCH calendars/primary/events/e1", "events.patch", etag: "7", tea),
    Change("events delete e1", "DELETE calendars/primary/events/e1", "events.delete", etag: "7"),
    Change(
      "events move one --to other", "POST calendars/primary/events/one/move", "events.move", etag: "o1", tea),
    Change("calendars add --title Tea", "POST calendars", "calendars.insert", work),
    Change("calendars edit work --title Tea", "PATCH calendars/work", "calendars.patch", etag: "c1", work),
    Change("calendars delete work", "DELETE calendars/work", "calendars.delete", etag: "c1"),
    Change("calendars clear", "POST calendars/primary/clear", "calendars.clear"),
    Change("calendars subscribe work --name Job", "POST users/me/calendarList", "calendarList.insert", work),
    Change(
      "calendars customize work --hidden no", "PATCH users/me/calendarList/work", "calendarList.patch", etag: "l1",
      work),
    Change(
      "calendars unsubscribe work", "DELETE users/me/calendarList/work", "calendarList.delete", etag: "l1"),
    Change("acl add --user ann@x.org --role writer", "POST calendars/primary/acl", "acl.insert", rule),
    Change("acl add --public --role free-busy --calendar work", "POST calendars/work/acl", "acl.insert", rule),
    Change(
      "acl edit user:bo@x.org --role owner", "PATCH calendars/primary/acl/user:bo@x.org", "acl.patch", etag: "a1",
      rule),
    Change("acl delete user:bo@x.org", "DELETE calendars/primary/acl/user:bo@x.org", "acl.delete", etag: "a1"),
  ]

  /// The texts are in a transcript.
  @Test(arguments: changes.indices) func previewAndQuestionAreTheSame(_ index: Int) async throws {
    let change = Self.changes[index]
    let dry = await harness.run(change.words + ["--dry-run"])
    #expect(!dry.output.isEmpty && dry.errors.isEmpty && dry.status == .success, "\(dry.errors)")

    let json = try #require(try await harness.run(change.words + ["--dry-run", "--json"]).json.object)
    #expect(json.keys.sorted() == ["changes", "dryRun", "method", "notes", "title"])
    #expect(json["dryRun"] == true && json["method"]?.string == change.method)
    let texts = [json["title"]].compactMap { $0?.string } + (json["notes"]?.array ?? []).compactMap(\.string)
    let lines = dry.output.split(separator: "\n").map(String.init)
    #expect(lines.filter { !$0.hasPrefix("  ") } == texts)
    #expect(json["changes"]?.array?.count == lines.count - texts.count)

    let asked = await harness.run(change.words, console: ScriptedConsole(canAsk: true) { _ in "n" })
    #expect(asked.errors.hasPrefix(dry.output + "Make this change? [y/N] "), "\(asked.errors)")
    #expect(asked.output.isEmpty && asked.status == .declined)
    #expect(api.writes.isEmpty)
  }

  /// A change that cannot be confirmed asks the server nothing.
  @Test(arguments: changes.indices) func changeWithoutConsentIsRefusedBeforeAnyRequest(_ index: Int) async throws {
    for options in [[], ["--yes", "--dry-run"]] {
      let refused = await harness.run(Self.changes[index].words + options)
      #expect(refused.status == .usage && refused.output.isEmpty, "\(options)")
    }
    #expect(api.requests.isEmpty)
  }

  /// The server's resource has changed since the command has read it.
  @Test(arguments: changes.indices) func changeIsConditionalWhereTheAPIHasEtags(_ index: Int) async throws {
    let change = Self.changes[index]
    api.on(change.call) { _ in .refusal(412, "conditionNotMet") }
    let result = await harness.run(change.words + ["--yes", "--json"])
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
    let made = await harness.run(change.words + ["--yes"])
    #expect(made.output.split(separator: "\n").count == 1 && made.errors.isEmpty && made.status == .success)
    let sent = api.writes.map { "\($0.method.rawValue) \($0.url.path(percentEncoded: false).dropFirst(13))" }
    #expect(sent == [change.call])

    let json = try await harness.run(change.words + ["--yes", "--json"]).json
    if !change.answer.isEmpty {
      #expect(try json == JSONValue(json: Array(change.answer.utf8)))
    } else if change.method == "calendars.clear" {
      #expect(json == ["cleared": "me@x.org"])
    } else {
      #expect(json == ["deleted": .string(change.words[2])])
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
    let message = try #require(result.error?["message"]?.string)
    #expect(message.contains("may have been made") && !result.errors.contains("Nothing was written"))
    #expect(
      message.contains("Its identifier is") == isNamed && message.contains(" Its identifier is \(id).") == isNamed)
  }
}
