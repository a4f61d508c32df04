// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Testing
import Timekeeping

/// The four verbs on calendars themselves.
@Suite struct CalendarsTests {
  private static let path = "/calendar/v3/calendars"
  private static let full = "https://www.googleapis.com/auth/calendar"

  private func send(
    _ harness: SandboxHarness, _ method: HTTPMethod, _ path: String = Self.path, _ json: String? = nil, token: String,
    fields: HTTPFields = [:]
  ) async throws -> Answer {
    var fields = fields
    fields["Authorization"] = "Bearer \(token)"
    if json != nil { fields["Content-Type"] = "application/json" }
    return try await harness.send(
      HTTPRequest(
        method, try #require(URL(string: SandboxHarness.base + path)), fields: fields, body: json.map { Array($0.utf8) }
      ))
  }

  private func path(of calendar: Answer) throws -> String {
    "\(Self.path)/\(try #require(calendar["id"].flatMap(FormEncoding.pathSegment)))"
  }

  @Test func aCalendarComesChangesAndGoes() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken(scope: Self.full)
    let made = try await send(
      harness, .post, Self.path, #"{"summary":"Ñandú","description":"d","timeZone":"Asia/Tokyo"}"#, token: token)
    #expect(made.status == 200 && made["kind"] == "calendar#calendar")
    #expect(made["summary"] == "Ñandú" && made["timeZone"] == "Asia/Tokyo")
    let one = try path(of: made)
    #expect(try await send(harness, .get, one, token: token).object as NSDictionary == made.object as NSDictionary)
    #expect(try await send(harness, .get, one + "/events", token: token).items.isEmpty)

    let replaced = try await send(harness, .put, one, #"{"summary":"B"}"#, token: token)
    #expect(replaced["summary"] == "B" && replaced["description"] == nil)
    #expect(replaced["timeZone"] == "Europe/Madrid", "What is left out is what it is for a new calendar.")
    #expect(replaced["etag"] != made["etag"])

    let patched = try await send(harness, .patch, one, #"{"description":"e","unknown":[1]}"#, token: token)
    #expect(patched["summary"] == "B" && patched["description"] == "e")
    #expect(try await send(harness, .patch, one, #"{"description":null}"#, token: token)["description"] == nil)

    let gone = try await send(harness, .delete, one, token: token)
    #expect(gone.status == 204 && gone.response.body.isEmpty)
    for method in [HTTPMethod.get, .delete] {
      #expect(try await send(harness, method, one, token: token).status == 404)
    }
    #expect(harness.sandbox.requestCount(.calendars) == 8)
  }

  @Test func changesShowInTheListAndInItsSync() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken(scope: Self.full)
    let list = "/calendar/v3/users/me/calendarList"
    let before = try await harness.get(list, token: token)
    let sync = try #require(before["nextSyncToken"])
    let first = try await send(harness, .post, Self.path, #"{"summary":"one"}"#, token: token)
    let second = try await send(harness, .post, Self.path, #"{"summary":"two"}"#, token: token)
    #expect(first["id"] != second["id"])
    #expect(try await harness.get(list, token: token).items.count == before.items.count + 2)
    _ = try await send(harness, .delete, try path(of: first), token: token)
    _ = try await send(harness, .patch, try path(of: second), #"{"summary":"zwei"}"#, token: token)

    let changes = try await harness.get("\(list)?syncToken=\(sync)", token: token)
    try #require(changes.items.map { $0["id"] as? String } == [first["id"], second["id"]])
    #expect(changes.items[0]["deleted"] as? Bool == true && changes.items[1]["summary"] as? String == "zwei")
    let next = try #require(changes["nextSyncToken"])
    #expect(try await harness.get("\(list)?syncToken=\(next)", token: token).items.isEmpty)
    #expect(try await harness.get(list, token: token).items.count == before.items.count + 1)
  }

  @Test(
    "Reading needs one scope, writing another",
    arguments: [
      ("calendar", 200, 200), ("calendar.calendars", 200, 200), ("calendar.readonly", 200, 403),
      ("calendar.calendars.readonly", 200, 403), ("calendar.events", 403, 403),
    ])
  func scopes(scope: String, read: Int, write: Int) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken(scope: "\(Self.full.dropLast("calendar".count))\(scope)")
    #expect(try await send(harness, .get, "\(Self.path)/primary", token: token).status == read)
    let answers = [
      try await send(harness, .post, Self.path, #"{"summary":"x"}"#, token: token),
      try await send(harness, .put, "\(Self.path)/primary", #"{"summary":"x"}"#, token: token),
      try await send(harness, .patch, "\(Self.path)/primary", #"{"summary":"x"}"#, token: token),
    ]
    #expect(answers.map(\.status) == [write, write, write])
    if write == 403 { #expect(answers.allSatisfy { $0.reason == "insufficientPermissions" }) }
  }

  @Test(arguments: [
    ("{}", "required"), (#"{"summary":""}"#, "required"), (#"{"summary":null}"#, "required"),
    (#"{"summary":7}"#, "parseError"), ("[]", "parseError"), ("", "parseError"),
    (#"{"summary":"x","timeZone":"Mars/Olympus"}"#, "invalid"),
  ])
  func contentThatIsNoCalendarChangesNothing(json: String, reason: String) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken(scope: Self.full)
    let primary = "\(Self.path)/primary"
    let before = try await send(harness, .get, primary, token: token)
    for (method, path) in [(HTTPMethod.post, Self.path), (.put, primary)] {
      let answer = try await send(harness, method, path, json, token: token)
      #expect(answer.status == 400 && answer.reason == reason)
    }
    #expect(
      try await send(harness, .get, primary, token: token).object as NSDictionary == before.object as NSDictionary)
  }

  @Test func whatIsNotThePersonsIsRefused() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken(scope: Self.full)
    let items = try await harness.get("/calendar/v3/users/me/calendarList", token: token).items
    let other = try #require(items.first { $0["accessRole"] as? String == "reader" }?["id"] as? String)
    let path = "\(Self.path)/\(try #require(FormEncoding.pathSegment(other)))"
    #expect(try await send(harness, .patch, path, #"{"summary":"x"}"#, token: token).reason == "requiredAccessLevel")
    let primary = try await send(harness, .delete, "\(Self.path)/primary", token: token)
    #expect(primary.status == 403 && primary.reason == "cannotDeletePrimaryCalendar")
    #expect(try await send(harness, .patch, "\(Self.path)/missing", #"{"summary":"x"}"#, token: token).status == 404)
    #expect(try await send(harness, .delete, Self.path, token: token).status == 405)
  }

  @Test func aChangeMadeSinceTheReadIsNoticed() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken(scope: Self.full)
    let primary = "\(Self.path)/primary"
    let etag = try #require(try await send(harness, .get, primary, token: token)["etag"])
    let first = try await send(harness, .patch, primary, #"{"summary":"a"}"#, token: token, fields: ["If-Match": etag])
    #expect(first.status == 200)
    let second = try await send(harness, .patch, primary, #"{"summary":"b"}"#, token: token, fields: ["If-Match": etag])
    #expect(second.status == 412 && second.reason == "conditionNotMet")
    #expect(try await send(harness, .get, primary, token: token)["summary"] == "a")
  }
}
