// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Testing

/// Requests as values: conditions, fields, quota user.
struct RequestValueTests {
  @Test func conditionsAreHeaderFields() async throws {
    let transport = StubTransport { _ in .json("{}") }
    var request = EventsResource.update(Event(), for: "e", in: "c")
    request.ifMatch = "\"1\""
    _ = try await CalendarClient(transport: transport).send(request)
    var read = EventsResource.get("e", in: "c")
    read.ifNoneMatch = "\"2\""
    _ = try await CalendarClient(transport: transport).send(read)
    #expect(transport.requests.map { $0.fields["If-Match"] } == ["\"1\"", nil])
    #expect(transport.requests.map { $0.fields["If-None-Match"] } == [nil, "\"2\""])
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
    #expect(FieldMask<WatchChannel>(\.expirationTime).description == "expiration")
    // What a property of the caller's own needs is not known.
    #expect(FieldMask<EventsPage>(\.items.place).description == "items/*")
    #expect(FieldMask<Event>(\.place).description == "*")
    #expect(FieldMask<EventsPage>(rawValue: "items(id,future)").description == "items(id,future)")
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
