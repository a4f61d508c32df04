// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Testing
import Timekeeping

/// The exact text of each request.
struct RequestTests {
  private let transport = StubTransport { _ in .json("{}") }
  private var client: CalendarClient { CalendarClient(transport: transport) }

  @Test func colorsAreAskedForAtGoogle() async throws {
    _ = try await client.colors.get()
    let request = try #require(transport.requests.first)
    #expect(request.method == .get)
    #expect(request.url.absoluteString == "https://www.googleapis.com/calendar/v3/colors")
    #expect(request.fields["Accept"] == "application/json")
    #expect(request.body == nil)
    #expect(transport.requests.count == 1)
  }

  @Test func parametersThatAreNotSetAreNotSent() async throws {
    _ = try await client.calendarList.list()
    _ = try await client.events.list(in: "primary")
    #expect(transport.paths == ["users/me/calendarList", "calendars/primary/events"])
  }

  @Test func everyParameterOfTheEvents() async throws {
    var client = client
    client.options.checksLimits = false
    _ = try await client.events.list(
      in: "team room/1@example.org",
      .init(
        timeMin: Timestamp(secondsSince1970: 0, nanoseconds: 5_000_000),
        timeMax: Timestamp(secondsSince1970: 1_772_323_200), q: "café ☕ +1", singleEvents: true, orderBy: .startTime,
        eventTypes: [.default, .focusTime, "new"], iCalUID: "a@b", privateExtendedProperty: ["a=1", "b=2&3"],
        sharedExtendedProperty: ["c=#"], showDeleted: true, showHiddenInvitations: true,
        updatedMin: Timestamp(secondsSince1970: 1), timeZone: "Europe/Madrid", maxAttendees: 1, maxResults: 2500,
        pageToken: "p", syncToken: "s", alwaysIncludeEmail: true))
    #expect(
      transport.paths == [
        "calendars/team%20room%2F1%40example.org/events?timeMin=1970-01-01T00%3A00%3A00.005Z"
          + "&timeMax=2026-03-01T00%3A00%3A00Z&q=caf%C3%A9%20%E2%98%95%20%2B1&singleEvents=true&orderBy=startTime"
          + "&eventTypes=default&eventTypes=focusTime&eventTypes=new&iCalUID=a%40b&privateExtendedProperty=a%3D1"
          + "&privateExtendedProperty=b%3D2%263&sharedExtendedProperty=c%3D%23&showDeleted=true"
          + "&showHiddenInvitations=true&updatedMin=1970-01-01T00%3A00%3A01Z&timeZone=Europe%2FMadrid&maxAttendees=1"
          + "&maxResults=2500&pageToken=p&syncToken=s&alwaysIncludeEmail=true"
      ])
  }

  @Test(arguments: ["", ".", ".."]) func anIdThatWouldNameSomethingElseIsRefused(_ id: String) async throws {
    await expectFailure(.invalidRequest) { try await client.calendarList.get(id) }
    #expect(transport.requests.isEmpty)
  }

  @Test func optionsGoWithEveryRequest() async throws {
    var client = client
    client.options = .init(prettyPrint: false, quotaUser: "ana 1")
    _ = try await client.events.list(in: "a", .init(q: "x"))
    #expect(transport.paths == ["calendars/a/events?q=x&prettyPrint=false&quotaUser=ana%201"])
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080/calendar/v3/colors"),
    ("http://[::1]:8080/", "http://[::1]:8080/calendar/v3/colors"),
    ("https://proxy.example/google?x=1#y", "https://proxy.example/google/calendar/v3/colors"),
  ]) func anotherServerCanTakeGooglesPlace(_ base: String, _ address: String) async throws {
    let client = CalendarClient(transport: transport, baseURL: try #require(URL(string: base)))
    _ = try await client.colors.get()
    #expect(transport.requests.map(\.url.absoluteString) == [address])
  }

  @Test func aCancelledCallSendsNothing() async throws {
    let call = Task {
      cancelCurrentTask()
      _ = try await client.colors.get()
    }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(transport.requests.isEmpty)
  }
}
