// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

@Suite struct CalendarAccessTests {
  private static let list = "/calendar/v3/users/me/calendarList"
  private static let events = "/calendar/v3/calendars/primary/events"

  /// The statuses of the calendar list, the events of two calendars, the colors, a calendar, and a change of it.
  @Test(
    "Each call needs a scope of its own",
    arguments: [
      ("calendar", [200, 200, 200, 200, 200, 200]), ("calendar.readonly", [200, 200, 200, 200, 200, 403]),
      ("calendar.events", [403, 200, 200, 403, 403, 403]),
      ("calendar.events.readonly", [403, 200, 200, 403, 403, 403]),
      ("calendar.events.owned", [403, 200, 403, 200, 403, 403]),
      ("calendar.events.public.readonly", [403, 403, 403, 200, 403, 403]),
      ("calendar.app.created", [403, 403, 403, 200, 403, 403]),
      ("calendar.calendars", [403, 403, 403, 403, 200, 200]),
      ("calendar.calendars.readonly", [403, 403, 403, 403, 200, 403]),
      ("calendar.calendarlist.readonly", [200, 403, 403, 200, 403, 403]),
      ("calendar.settings.readonly", [403, 403, 403, 403, 403, 403]),
    ])
  func scopes(scope: String, statuses: [Int]) async throws {
    let harness = try SandboxHarness()
    let list = try await harness.get(Self.list, token: try await harness.token()).items
    let foreign = try #require(list.first { $0["accessRole"] as? String == "writer" }?["id"] as? String)
    let token = try await harness.accessToken(scope: "https://www.googleapis.com/auth/\(scope)")
    let answers = [
      try await harness.get(Self.list, token: token), try await harness.get(Self.events, token: token),
      try await harness.call(.get, "calendars/\(FormEncoding.pathSegment(foreign) ?? "")/events", token: token),
      try await harness.get("/calendar/v3/colors", token: token),
      try await harness.call(.get, "calendars/primary", token: token),
      try await harness.call(.patch, "calendars/primary", #"{"summary":"x"}"#, token: token),
    ]
    #expect(answers.map(\.status) == statuses)
    #expect(answers.allSatisfy { $0.reason == ($0.status == 200 ? nil : "insufficientPermissions") })
  }
}
