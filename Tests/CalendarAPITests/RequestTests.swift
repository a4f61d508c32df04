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

  @Test func parametersAreEncoded() async throws {
    var client = client
    client.options = .init(prettyPrint: false, quotaUser: "ana 1", checksLimits: false)
    _ = try await client.events.list(
      in: "team room/1@example.org",
      .init(
        timeMin: Timestamp(secondsSince1970: 0, nanoseconds: 5_000_000), q: "café ☕ +1", singleEvents: true,
        orderBy: .startTime, eventTypes: [.default, "new"], privateExtendedProperty: ["a=1", "b=2&3"],
        timeZone: "Europe/Madrid", maxResults: 2500))
    #expect(
      transport.paths == [
        "calendars/team%20room%2F1%40example.org/events?timeMin=1970-01-01T00%3A00%3A00.005Z"
          + "&q=caf%C3%A9%20%E2%98%95%20%2B1&singleEvents=true&orderBy=startTime&eventTypes=default&eventTypes=new"
          + "&privateExtendedProperty=a%3D1&privateExtendedProperty=b%3D2%263&timeZone=Europe%2FMadrid"
          + "&maxResults=2500&prettyPrint=false&quotaUser=ana%201"
      ])
  }

  @Test(arguments: ["", ".", ".."]) func anIdThatWouldNameSomethingElseIsRefused(_ id: String) async throws {
    await expectFailure(.invalidRequest) { try await client.calendarList.get(id) }
    #expect(transport.requests.isEmpty)
  }

  @Test(
    arguments: [
      (nil, "https://www.googleapis.com/calendar/v3/colors"),
      ("http://127.0.0.1:8080", "http://127.0.0.1:8080/calendar/v3/colors"),
      ("http://[::1]:8080/", "http://[::1]:8080/calendar/v3/colors"),
      ("https://proxy.example/google?x=1#y", "https://proxy.example/google/calendar/v3/colors"),
    ] as [(String?, String)]) func anotherServerCanTakeGooglesPlace(_ base: String?, _ address: String) async throws
  {
    let other = try base.map { CalendarClient(transport: transport, baseURL: try #require(URL(string: $0))) }
    _ = try await (other ?? client).colors.get()
    let request = try #require(transport.requests.first)
    #expect(request.method == .get && request.url.absoluteString == address && request.body == nil)
    #expect(request.fields["Accept"] == "application/json")
  }

  @Test func aCancelledCallSendsNothing() async throws {
    let call = Task {
      cancelCurrentTask()
      _ = try await client.colors.get()
    }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(transport.requests.isEmpty)
  }

  @Test func fieldsAreKeyPaths() async throws {
    let transport = StubTransport { _ in .json("{}") }
    var request = EventsResource.list(in: "c")
    request.fieldMask = FieldMask(
      \.items.id, \.items.start.dateTime, \.items.attendees.isSelf, \.items.extendedProperties.private, \.summary,
      \.items.gadget.title)
    #expect(
      request.fieldMask?.description
        == "items/id,items/start/dateTime,items/attendees/self,items/extendedProperties/private,summary,items/gadget/title"
    )
    _ = try await CalendarClient(transport: transport).send(request)
    #expect(transport.requests.first?.url.query()?.contains("fields=items%2Fid%2C") == true)
  }

  @Test func computedPropertiesAreTheFieldsThatTheyNeed() {
    #expect(
      FieldMask<EventsPage>(\.items.period, \.items.originalStartTime.time, \.summary).description
        == "items(start,end),items/originalStartTime(date,dateTime,timeZone),summary")
    #expect(FieldMask<Event>(\.id, \.period).description == "id,start,end")
    #expect(FieldMask<EventsPage>(rawValue: "items(id,future)").description == "items(id,future)")
    #expect(FieldMask<WatchChannel>(\.expirationTime).description == "expiration")
    // The fields of a property in an extension are unknown.
    #expect(FieldMask<EventsPage>(\.items.place).description == "items/*")
    #expect(FieldMask<Event>(\.place).description == "*")
  }

  @Test func pagesKeepTheirTokensWhateverTheFields() async throws {
    let transport = StubTransport { _ in .json("{}") }
    var request = CalendarListResource.list()
    request.fieldMask = FieldMask(\.items.id)
    for try await _ in CalendarClient(transport: transport).pages(of: request) {}
    #expect(transport.paths == ["users/me/calendarList?fields=items%2Fid%2CnextPageToken%2CnextSyncToken"])
  }

  @Test func theQuotaUserOfARequestCountsMore() async throws {
    let transport = StubTransport { _ in .json("{}") }
    let client = CalendarClient(transport: transport, options: .init(quotaUser: "a"))
    var request = ColorsResource.get()
    request.quotaUser = "b"
    _ = try await client.send(request)
    _ = try await client.colors.get()
    #expect(transport.paths == ["colors?quotaUser=b", "colors?quotaUser=a"])
  }
}

extension Event {
  /// A property that the API does not have.
  fileprivate var place: String? { location ?? hangoutLink }
}
