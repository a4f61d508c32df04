// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

@Suite struct CalendarAccessTests {
  private static let google = "https://www.googleapis.com/auth/"
  private static let list = "/calendar/v3/users/me/calendarList"
  private static let events = "/calendar/v3/calendars/primary/events"

  @Test(
    "Each call needs a scope of its own",
    arguments: [
      ("calendar", 200, 200, 200), ("calendar.readonly", 200, 200, 200), ("calendar.events", 403, 200, 403),
      ("calendar.events.readonly", 403, 200, 403), ("calendar.calendarlist.readonly", 200, 403, 200),
      ("calendar.settings.readonly", 403, 403, 403),
    ])
  func scopes(scope: String, list: Int, events: Int, colors: Int) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken(scope: Self.google + scope)
    #expect(try await harness.get(Self.list, token: token).status == list)
    #expect(try await harness.get(Self.events, token: token).status == events)
    #expect(try await harness.get("/calendar/v3/colors", token: token).status == colors)
  }

  @Test(
    "Reading a calendar needs one scope, writing another",
    arguments: [
      ("calendar", 200, 200), ("calendar.calendars", 200, 200), ("calendar.readonly", 200, 403),
      ("calendar.calendars.readonly", 200, 403), ("calendar.events", 403, 403),
    ])
  func scopesOfCalendars(scope: String, read: Int, write: Int) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken(scope: Self.google + scope)
    #expect(try await harness.call(.get, "calendars/primary", token: token).status == read)
    for (method, path) in [(HTTPMethod.post, "calendars"), (.put, "calendars/primary"), (.patch, "calendars/primary")] {
      let answer = try await harness.call(method, path, #"{"summary":"x"}"#, token: token)
      #expect(answer.status == write && answer.reason == (write == 200 ? nil : "insufficientPermissions"))
    }
  }

  @Test func callsAreCounted() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    for path in [Self.list, Self.events, Self.events, "/calendar/v3/colors"] {
      _ = try await harness.get(path, token: token)
    }
    #expect(harness.sandbox.requestCount(.calendarList) == 1)
    #expect(harness.sandbox.requestCount(.events) == 2)
    #expect(harness.sandbox.requestCount(.colors) == 1)
    #expect(harness.sandbox.requestCount(.token) == 1)
    #expect(harness.sandbox.requestCount(.authorization) == 0, "The approval did not come over HTTP.")
  }
}
