// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// `calendars`, `acl`, `settings`, `colors` and `free`, against a scripted API.
@Suite(.takesTurns) struct CalendarCommandTests {
  private let api = ScriptedCalendarAPI()
  private let harness: CommandHarness

  init() async throws {
    api.on("GET calendars/work", #"{"id": "work", "etag": "\"c1\"", "summary": "Work", "timeZone": "Europe/Berlin"}"#)
    api.on("GET calendars/primary", #"{"id": "me@x.org", "etag": "\"c2\"", "summary": "Me"}"#)
    api.on("GET users/me/calendarList/work", #"{"id": "work", "etag": "\"l1\"", "summary": "Work", "hidden": true}"#)
    api.on(
      "GET calendars/primary/acl/user:bo@x.org",
      #"{"id": "user:bo@x.org", "etag": "\"a1\"", "role": "reader", "scope": {"type": "user", "value": "bo@x.org"}}"#)
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    harness = try await CommandHarness.signedIn(to: api)
  }

  private static let writes: [(arguments: [String], request: String, etag: String?)] = [
    (["calendars", "add", "--title", "Tea"], "POST /calendar/v3/calendars", nil),
    (["calendars", "edit", "work", "--title", "Tea"], "PATCH /calendar/v3/calendars/work", "\"c1\""),
    (["calendars", "delete", "work"], "DELETE /calendar/v3/calendars/work", "\"c1\""),
    (["calendars", "clear"], "POST /calendar/v3/calendars/primary/clear", nil),
    (["calendars", "subscribe", "work"], "POST /calendar/v3/users/me/calendarList", nil),
    (["calendars", "customize", "work", "--hidden", "no"], "PATCH /calendar/v3/users/me/calendarList/work", "\"l1\""),
    (["calendars", "unsubscribe", "work"], "DELETE /calendar/v3/users/me/calendarList/work", "\"l1\""),
    (["acl", "add", "--user", "ann@x.org", "--role", "writer"], "POST /calendar/v3/calendars/primary/acl", nil),
    (
      ["acl", "edit", "user:bo@x.org", "--role", "owner"], "PATCH /calendar/v3/calendars/primary/acl/user:bo@x.org",
      "\"a1\""
    ),
    (["acl", "delete", "user:bo@x.org"], "DELETE /calendar/v3/calendars/primary/acl/user:bo@x.org", "\"a1\""),
  ]

  @Test(arguments: writes.map(\.arguments)) func changeNeedsConfirmation(_ arguments: [String]) async throws {
    #expect(await harness.run(arguments).status == .usage)
    let dry = await harness.run(arguments + ["--dry-run"])
    #expect(dry.status == .success, "\(dry.errors)")
    #expect(!dry.output.isEmpty)
    for response in [nil, "n"] {
      let declined = await harness.run(arguments, console: ScriptedConsole(canAsk: true) { _ in response })
      #expect(declined.status == .declined)
    }
    #expect(api.writes.isEmpty)
  }

  @Test(arguments: writes.indices) func changeIsConditionalWhereTheAPIHasEtags(_ index: Int) async throws {
    let (arguments, call, etag) = Self.writes[index]
    api.on(
      String(call.replacing("/calendar/v3/", with: "")),
      #"{"error":{"errors":[{"reason":"conditionNotMet"}],"code":412}}"#, status: 412)
    let result = await harness.run(arguments + ["--yes", "--json"])
    #expect(result.error?["code"]?.string == "conditionNotMet")
    let request = try #require(api.writes.first)
    #expect("\(request.method.rawValue) \(request.url.path(percentEncoded: false))" == call)
    #expect(request.fields["If-Match"] == etag)
    #expect(result.error?["message"]?.string?.contains("Another program has changed it") == (etag != nil))
  }

  @Test func optionsBecomeFields() async throws {
    api.on("POST calendars", #"{"id": "new", "summary": "Tea"}"#)
    api.on("PATCH users/me/calendarList/work", #"{"id": "work"}"#)
    api.on("POST calendars/primary/acl", #"{"id": "default"}"#)
    _ = await harness.run("calendars", "add", "--title", "Tea", "--zone", "Europe/Rome", "--yes")
    _ = await harness.run(
      "calendars", "customize", "work", "--name", "Job", "--color-id", "9", "--hidden", "no", "--selected", "yes",
      "--yes")
    _ = await harness.run("acl", "add", "--public", "--role", "free-busy", "--send-updates", "none", "--yes")
    try #require(api.writes.count == 3)
    #expect(api.writes[0].json == ["summary": "Tea", "timeZone": "Europe/Rome"])
    #expect(api.writes[1].json == ["summaryOverride": "Job", "colorId": "9", "hidden": false, "selected": true])
    #expect(api.writes[2].json == ["role": "freeBusyReader", "scope": ["type": "default"]])
    #expect(api.writes[2].parameters["sendNotifications"] == "false")
  }

  @Test func colorsAreNotIgnored() async throws {
    api.on("POST users/me/calendarList", #"{"id": "work"}"#)
    api.on("PATCH users/me/calendarList/work", #"{"id": "work"}"#)
    let colors = ScriptedConsole { _ in ##"{"backgroundColor": "#20f59e", "foregroundColor": "#000000"}"## }
    for command in ["subscribe", "customize"] {
      _ = await harness.run(["calendars", command, "work", "--data", "-", "--yes"], console: colors)
    }
    _ = await harness.run("calendars", "customize", "work", "--color-id", "9", "--yes")
    #expect(api.writes.map { $0.parameters["colorRgbFormat"] } == ["true", "true", nil])
  }

  @Test func accessForEveryoneIsStated() async throws {
    let result = await harness.run("acl", "add", "--public", "--role", "reader", "--dry-run")
    #expect(result.output.contains("Everyone on the Internet"))
  }

  @Test(arguments: [
    ["calendars", "add"], ["calendars", "edit", "work"], ["calendars", "customize", "work", "--hidden", "maybe"],
    ["acl", "add", "--role", "reader"], ["acl", "add", "--user", "a@x", "--public", "--role", "reader"],
    ["acl", "add", "--user", "a@x", "--role", "king"], ["acl", "edit", "user:bo@x.org"],
    ["acl", "add", "--user", "a@x", "--role", "reader", "--send-updates", "external"],
  ])
  func invalidOptionIsAUsageError(_ arguments: [String]) async throws {
    #expect(await harness.run(arguments + ["--yes"]).status == .usage)
    #expect(api.writes.isEmpty)
  }

  @Test func settingsAreListedAndReadByName() async throws {
    api.on(
      "GET users/me/settings",
      #"{"items": [{"id": "timezone", "value": "Europe/\u009bBerlin"}, {"id": "locale", "value": "de"}]}"#)
    api.on("GET users/me/settings/timezone", #"{"id": "timezone", "value": "Europe/Berlin"}"#)
    #expect(await harness.run("settings").output == "locale    de\ntimezone  Europe/ Berlin\n")
    #expect(await harness.run("settings", "timezone").output == "Europe/Berlin\n")
    #expect(try await harness.run("settings", "--json").json.array?.count == 2)
    #expect(await harness.run("settings", "a", "b").status == .usage)
  }

  @Test func colorsAreInTheOrderOfTheirNumbers() async throws {
    api.on(
      "GET colors",
      ##"{"calendar": {"10": {"background": "#b3dc6c"}, "2": {"background": "#d06b64"}}, "event": {}}"##)
    let output = await harness.run("colors", "--color", "always").output
    #expect(output.firstMatch(of: /2 +#D06B64[\s\S]*10 +#B3DC6C/.ignoresCase()) != nil)
    #expect(output.contains("48;2;208;107;100"))
  }

  // MARK: Free

  private func answer(_ calendars: String) {
    api.on("POST freeBusy", #"{"calendars": {\#(calendars)}}"#)
  }

  @Test func slotsAreFreeForAll() async throws {
    answer(
      """
      "primary": {"busy": [{"start": "2026-11-23T09:00:00Z", "end": "2026-11-23T10:00:00Z"}]},
      "bo@x.org": {"busy": [{"start": "2026-11-23T12:00:00+01:00", "end": "2026-11-23T16:45:00+01:00"}]}
      """)
    let arguments = [
      "free", "--calendar", "primary", "--calendar", "bo@x.org", "--from", "tomorrow", "--days", "1", "--slots",
      "--hours", "9:00-17:00", "--at-least", "30m",
    ]
    let result = await harness.run(arguments)
    #expect(result.output == "2026-11-23 09:00–10:00  1 h\n2026-11-23 11:00–12:00  1 h\n", "\(result.errors)")
    let slots = try #require(try await harness.run(arguments + ["--json"]).json.array)
    #expect(slots.first?["start"]?.string == "2026-11-23T09:00:00+01:00")
    let body = try #require(api.writes.first?.json)
    #expect(body["timeMin"]?.string == "2026-11-22T23:00:00Z")
    #expect(body["timeMax"]?.string == "2026-11-23T23:00:00Z")
    #expect(body["items"] == [["id": "primary"], ["id": "bo@x.org"]])
  }

  @Test(arguments: [[], ["--slots"], ["--json"]]) func unreadableCalendarIsNotFree(_ options: [String]) async throws {
    answer(#""primary": {"busy": [], "errors": [{"domain": "global", "reason": "notFound"}]}"#)
    let result = await harness.run(["free"] + options)
    #expect(result.status == .refused)
    #expect(result.output.isEmpty)
  }

  @Test(arguments: [
    ["--at-least", "30m"], ["--slots", "--hours", "17:00-9:00"], ["--slots", "--hours", "day"], ["--days", "0"],
    ["--to", "yesterday"], ["--to", "tomorrow", "--days", "2"],
  ])
  func invalidSpanIsAUsageError(_ options: [String]) async throws {
    #expect(await harness.run(["free"] + options).status == .usage)
  }
}
