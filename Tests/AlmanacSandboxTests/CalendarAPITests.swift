// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Testing
import Timekeeping

/// The rules of all methods, and the small resources.
@Suite struct CalendarAPITests {
  private static let events = "calendars/primary/events"

  @Test(
    "Partial responses",
    arguments: [
      ("kind", ["kind"]), ("items(id,summary),nextPageToken", ["items", "nextPageToken"]), ("items/id", ["items"]),
      ("*", nil), ("items(start/date,start(dateTime),*)", ["items"]),
    ] as [(String, [String]?)])
  func partialResponses(fields: String, names: [String]?) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let query = FormEncoding.query.encode(["fields": fields, "maxResults": "2"])
    let answer = try await harness.call(.get, "\(Self.events)?\(query)", token: token)
    let whole = try await harness.call(.get, Self.events + "?maxResults=2", token: token)
    #expect(Set(answer.object.keys) == Set(names ?? Array(whole.object.keys)))
    if fields == "items(id,summary),nextPageToken" {
      #expect(answer.items.allSatisfy { Set($0.keys) == ["id", "summary"] } && answer.items.count == 2)
    }
    if fields.hasSuffix("*)") {
      #expect(answer.items as NSArray == whole.items as NSArray, "All of a field is more than some of it.")
    }
  }

  @Test(arguments: ["odd", "items(", "items(id", "items)", "items/odd", "id,", "kind(x)", ""])
  func fieldsThatAreNotThereAreRefused(fields: String) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let query = FormEncoding.query.encode(["fields": fields])
    let answer = try await harness.call(.get, "\(Self.events)?\(query)", token: token)
    #expect(answer.status == (fields.isEmpty ? 200 : 400))
    if !fields.isEmpty { #expect(answer.reason == "invalidParameter") }
  }

  @Test func aPageIsRightAfterTheLastWhateverCameOrWent() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    _ = try await harness.call(.post, "calendars/primary/clear", token: token)
    for number in 0..<6 {
      let json = #"{"id":"event\#(number)","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#
      _ = try await harness.call(.post, Self.events, json, token: token)
    }
    let first = try await harness.call(.get, Self.events + "?maxResults=3", token: token)
    _ = try await harness.call(.delete, Self.events + "/event0", token: token)
    let next = try #require(first["nextPageToken"])
    let second = try await harness.call(.get, Self.events + "?maxResults=3&pageToken=\(next)", token: token)
    #expect(second.ids() == ["event3", "event4", "event5"])
    let sync = try #require(second["nextSyncToken"])
    let changes = try await harness.call(.get, Self.events + "?syncToken=\(sync)", token: token)
    #expect(changes.ids() == ["event0"], "It went after its page was read.")
    #expect(changes.items.first?["status"] as? String == "cancelled")
  }

  @Test func freeBusyMergesWhatIsBusy() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    _ = try await harness.call(.post, "calendars/primary/clear", token: token)
    for (start, end, more) in [
      ("10:00", "11:00", ""), ("10:30", "12:00", ""), ("12:00", "12:30", ""), ("14:00", "15:00", ""),
      ("16:00", "17:00", #","transparency":"transparent""#), ("18:00", "19:00", #","status":"cancelled""#),
    ] {
      let json =
        #"{"start":{"dateTime":"2026-01-02T\#(start):00Z"},"end":{"dateTime":"2026-01-02T\#(end):00Z"}\#(more)}"#
      #expect(try await harness.call(.post, Self.events, json, token: token).status == 200)
    }
    let answer = try await harness.call(
      .post, "freeBusy",
      #"{"timeMin":"2026-01-02T10:15:00Z","timeMax":"2026-01-02T14:30:00Z","items":[{"id":"primary"},{"id":"missing"}]}"#,
      token: token)
    #expect(
      answer.value("calendars", "primary", "busy") as? [[String: String]] == [
        ["start": "2026-01-02T10:15:00Z", "end": "2026-01-02T12:30:00Z"],
        ["start": "2026-01-02T14:00:00Z", "end": "2026-01-02T14:30:00Z"],
      ])
    #expect(
      answer.value("calendars", "missing", "errors") as? [[String: String]] == [
        ["domain": "global", "reason": "notFound"]
      ])
    let long = #"{"timeMin":"2026-01-02T00:00:00Z","timeMax":"2026-06-02T00:00:00Z","items":[]}"#
    #expect(try await harness.call(.post, "freeBusy", long, token: token).reason == "timeRangeTooLong")
    let empty = #"{"timeMin":"2026-01-02T00:00:00Z","timeMax":"2026-01-02T00:00:00Z","items":[]}"#
    #expect(try await harness.call(.post, "freeBusy", empty, token: token).reason == "timeRangeEmpty")
  }

  @Test func settingsAreRead() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token(scope: SandboxHarness.fullScope + ".settings.readonly")
    let list = try await harness.call(.get, "users/me/settings", token: token)
    #expect(list.items.count == 12)
    let zone = try await harness.call(.get, "users/me/settings/timezone", token: token)
    #expect(zone["value"] == "Europe/Madrid" && zone["kind"] == "calendar#setting")
    #expect(try await harness.call(.get, "users/me/settings/odd", token: token).status == 404)
    let sync = try #require(list["nextSyncToken"])
    #expect(try await harness.call(.get, "users/me/settings?syncToken=\(sync)", token: token).items.isEmpty)
  }

  @Test func extendedPropertiesAreFilteredAndCut() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let long = String(repeating: "x", count: 45)
    for (id, value) in [("event1", "1"), ("event2", "2")] {
      let json =
        #"{"id":"\#(id)","extendedProperties":{"private":{"n":"\#(value)","m":"=a","\#(long)":"y"}},"start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#
      let made = try await harness.call(.post, Self.events, json, token: token)
      #expect((made.value("extendedProperties", "private") as? [String: String])?.count == 2)
    }
    func found(_ query: String) async throws -> [String] {
      try await harness.call(.get, "\(Self.events)?\(query)", token: token).ids()
    }
    #expect(try await found("privateExtendedProperty=n%3D1") == ["event1"])
    #expect(try await found("privateExtendedProperty=n%3D1&privateExtendedProperty=m%3D%3Da") == ["event1"])
    #expect(try await found("sharedExtendedProperty=n%3D1") == [])
  }

  @Test func anUnknownOriginOfChangesIsTooLongAgo() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let old = (harness.clock.now - .seconds(60 * 86_400)).rfc3339()
    let answer = try await harness.call(.get, "\(Self.events)?updatedMin=\(old)", token: token)
    #expect(answer.status == 410 && answer.reason == "updatedMinTooLongAgo")
  }
}
