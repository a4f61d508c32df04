// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// The requests of the commands that change calendars and access, against a scripted API.
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
    api.on("GET calendars/primary/events/e1", #"{"id": "e1", "etag": "\"7\"", "summary": "Lunch"}"#)
    api.on("GET calendars/primary/events", #"{"timeZone": "Europe/Berlin", "items": []}"#)
    harness = try await CommandHarness.signedIn(to: api)
  }

  private static let writes: [(arguments: [String], request: String, etag: String?)] = [
    (["events", "edit", "e1", "--title", "Tea"], "PATCH /calendar/v3/calendars/primary/events/e1", "\"7\""),
    (["events", "delete", "e1"], "DELETE /calendar/v3/calendars/primary/events/e1", "\"7\""),
    (["events", "move", "e1", "--to", "work"], "POST /calendar/v3/calendars/primary/events/e1/move", "\"7\""),
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

  @Test(arguments: writes.indices) func changeIsConditionalWhereTheAPIHasEtags(_ index: Int) async throws {
    let (arguments, call, etag) = Self.writes[index]
    api.on(
      String(call.replacing("/calendar/v3/", with: "")),
      #"{"error":{"errors":[{"reason":"conditionNotMet"}],"code":412}}"#, status: 412)
    let result = await harness.run(arguments + ["--yes", "--json"])
    #expect(result.error?["code"]?.string == "conditionNotMet")
    let request = try #require(api.writes.first)
    #expect(api.writes.count == 1, "it is not sent again")
    #expect("\(request.method.rawValue) \(request.url.path(percentEncoded: false))" == call)
    #expect(request.fields["If-Match"] == etag)
    #expect(result.error?["message"]?.string?.contains("Another program has changed it") == (etag != nil))
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

}
