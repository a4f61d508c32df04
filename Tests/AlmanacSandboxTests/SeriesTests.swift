// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

/// Recurring events and their exceptions.
@Suite struct SeriesTests {
  private static let events = "calendars/primary/events"
  private static let daily = #"""
    {"id":"abcde","summary":"S","recurrence":["RRULE:FREQ=DAILY;COUNT=5"],
    "start":{"dateTime":"2026-03-27T09:00:00","timeZone":"Europe/Madrid"},
    "end":{"dateTime":"2026-03-27T10:00:00","timeZone":"Europe/Madrid"}}
    """#

  private let harness: SandboxHarness
  private let token: String

  init() async throws {
    harness = try SandboxHarness()
    token = try await harness.token()
    _ = try await harness.call(.post, "calendars/primary/clear", token: token)
    #expect(try await harness.call(.post, Self.events, Self.daily, token: token).status == 200)
  }

  private func starts(_ query: String) async throws -> [String] {
    try await harness.call(.get, Self.events + query, token: token).items.compactMap {
      ($0["start"] as? [String: String])?["dateTime"]
    }
  }

  @Test func instancesFollowTheClocksOfTheirZone() async throws {
    let expected = [
      "2026-03-27T09:00:00+01:00", "2026-03-28T09:00:00+01:00", "2026-03-29T09:00:00+02:00",
      "2026-03-30T09:00:00+02:00", "2026-03-31T09:00:00+02:00",
    ]
    #expect(try await starts("/abcde/instances") == expected)
    #expect(try await starts("?singleEvents=true&orderBy=startTime") == expected)
    #expect(try await starts("?singleEvents=true&maxResults=2&timeMin=2026-03-29T08:00:00Z") == Array(expected[3...4]))
    #expect(try await starts("/abcde/instances?timeMin=2026-03-29T08:00:00Z").count == 3, "It is inclusive there.")
    #expect(try await starts("/abcde/instances?originalStart=2026-03-29T07:00:00Z") == [expected[2]])
    #expect(try await harness.call(.get, Self.events, token: token).items.count == 1)
  }

  @Test func aSyncOfInstancesHasTombstonesOfThoseThatAChangeTookAway() async throws {
    let first = try await harness.call(.get, Self.events + "?singleEvents=true", token: token)
    #expect(first.items.count == 5)
    let sync = try #require(first["nextSyncToken"])
    _ = try await harness.call(
      .patch, Self.events + "/abcde", #"{"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]}"#, token: token)
    let changes = try await harness.call(.get, Self.events + "?singleEvents=true&syncToken=\(sync)", token: token)
    let byStatus = Dictionary(grouping: changes.items) { $0["status"] as? String ?? "" }
    #expect(byStatus["confirmed"]?.count == 2)
    #expect(
      Set(byStatus["cancelled"]?.compactMap { $0["id"] as? String } ?? []) == [
        "abcde_20260329T070000Z", "abcde_20260330T070000Z", "abcde_20260331T070000Z",
      ])
    let next = try #require(changes["nextSyncToken"])
    #expect(
      try await harness.call(.get, Self.events + "?singleEvents=true&syncToken=\(next)", token: token).items.isEmpty)
  }

  @Test(arguments: [
    ("20260616T080000Z", "dateTime", 200), ("20260616", "dateTime", 200), ("20260616T100000", "dateTime", 400),
    ("20260616T235959", "dateTime", 400), ("20260616", "date", 200), ("20260616T100000", "date", 400),
  ])
  func untilIsInUTCOrADate(until: String, kind: String, status: Int) async throws {
    let time = kind == "date" ? "" : "T10:00:00+02:00"
    let answer = try await harness.call(
      .post, Self.events,
      """
      {"recurrence":["RRULE:FREQ=WEEKLY;UNTIL=\(until)"],
      "start":{"\(kind)":"2026-06-02\(time)","timeZone":"Europe/Berlin"},
      "end":{"\(kind)":"2026-06-03\(time)","timeZone":"Europe/Berlin"}}
      """, token: token)
    #expect(answer.status == status)
    #expect(status == 200 || answer.reason == "invalid")
  }
}
