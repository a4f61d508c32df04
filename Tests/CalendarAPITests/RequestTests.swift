// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Testing
import Timekeeping

/// What is sent, to the letter.
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
    _ = try await client.events.list(calendarId: "primary")
    #expect(transport.paths == ["users/me/calendarList", "calendars/primary/events"])
  }

  @Test func everyParameterOfTheCalendarList() async throws {
    var client = client
    client.options.checksLimits = false
    _ = try await client.calendarList.list(
      .init(
        maxResults: 250, minAccessRole: .writerWithoutPrivateAccess, pageToken: "p+/=", showDeleted: true,
        showHidden: false,
        showOwnOrganizationOnly: true, syncToken: "s&t"))
    #expect(
      transport.paths == [
        "users/me/calendarList?maxResults=250&minAccessRole=writerWithoutPrivateAccess&pageToken=p%2B%2F%3D"
          + "&showDeleted=true&showHidden=false&showOwnOrganizationOnly=true&syncToken=s%26t"
      ])
  }

  @Test func everyParameterOfTheEvents() async throws {
    var client = client
    client.options.checksLimits = false
    _ = try await client.events.list(
      calendarId: "team room/1@example.org",
      .init(
        alwaysIncludeEmail: true, eventTypes: [.default, .focusTime, "new"], iCalUID: "a@b", maxAttendees: 1,
        maxResults: 2500,
        orderBy: .startTime, pageToken: "p", privateExtendedProperty: ["a=1", "b=2&3"], q: "café ☕ +1",
        sharedExtendedProperty: ["c=#"], showDeleted: true, showHiddenInvitations: true, singleEvents: true,
        syncToken: "s",
        timeMax: Timestamp(secondsSince1970: 1_772_323_200),
        timeMin: Timestamp(secondsSince1970: 0, nanoseconds: 5_000_000),
        timeZone: "Europe/Madrid", updatedMin: Timestamp(secondsSince1970: 1)))
    #expect(
      transport.paths == [
        "calendars/team%20room%2F1%40example.org/events?alwaysIncludeEmail=true&eventTypes=default&eventTypes=focusTime"
          + "&eventTypes=new&iCalUID=a%40b&maxAttendees=1&maxResults=2500&orderBy=startTime&pageToken=p"
          + "&privateExtendedProperty=a%3D1&privateExtendedProperty=b%3D2%263&q=caf%C3%A9%20%E2%98%95%20%2B1"
          + "&sharedExtendedProperty=c%3D%23&showDeleted=true&showHiddenInvitations=true&singleEvents=true&syncToken=s"
          + "&timeMax=2026-03-01T00%3A00%3A00Z&timeMin=1970-01-01T00%3A00%3A00.005Z&timeZone=Europe%2FMadrid"
          + "&updatedMin=1970-01-01T00%3A00%3A01Z"
      ])
  }

  @Test func anEntryIsNamedByItsEscapedId() async throws {
    _ = try await client.calendarList.get(calendarId: "es.spain#holiday@group.v.calendar.google.com")
    #expect(transport.paths == ["users/me/calendarList/es.spain%23holiday%40group.v.calendar.google.com"])
  }

  @Test(arguments: ["", ".", ".."]) func anIdThatWouldNameSomethingElseIsRefused(_ id: String) async throws {
    let error = try await #require(throws: CalendarError.self) { try await client.calendarList.get(calendarId: id) }
    #expect(error.code == .invalidRequest)
    #expect(transport.requests.isEmpty)
  }

  @Test func optionsGoWithEveryRequest() async throws {
    var client = client
    client.options = .init(prettyPrint: false, quotaUser: "ana 1")
    _ = try await client.events.list(calendarId: "a", .init(q: "x"))
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

  @Test func aTransportsErrorComesThroughUnchanged() async throws {
    let client = CalendarClient(
      transport: StubTransport(), options: .init(retryPolicy: RetryPolicy(maximumAttempts: 1)))
    let error = try await #require(throws: TransportError.self) { try await client.colors.get() }
    #expect(error.code == .unreachable)
  }
}
