// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Testing

/// The requests of every method are repeated and verified as the table of the API says.
struct MethodRetryTests {
  /// Requests that write what is at their path, by method.
  static let writes: [String: CalendarRequest<Void>] = [
    "acl.delete": AclResource.delete("r", in: "c"),
    "acl.patch": AclResource.patch(.leave, for: "r", in: "c", sendNotifications: true).map { _ in },
    "acl.update": AclResource.update(AclRule(), for: "r", in: "c", sendNotifications: true).map { _ in },
    "calendarList.delete": CalendarListResource.delete("c"),
    "calendarList.patch": CalendarListResource.patch(.leave, for: "c", colorRgbFormat: true).map { _ in },
    "calendarList.update": CalendarListResource.update(CalendarListEntry(), for: "c", colorRgbFormat: true)
      .map { _ in },
    "calendars.delete": CalendarsResource.delete("c"),
    "calendars.patch": CalendarsResource.patch(.leave, for: "c").map { _ in },
    "calendars.update": CalendarsResource.update(CalendarMetadata(), for: "c").map { _ in },
    "events.delete": EventsResource.delete("e", in: "c", sendUpdates: .all),
    "events.patch": EventsResource.patch(.leave, for: "e", in: "c", .init(sendUpdates: .all)).map { _ in },
    "events.update": EventsResource.update(Event(), for: "e", in: "c", .init(sendUpdates: .all)).map { _ in
    },
  ]

  @Test func everyRequestIsRepeatableAsTheTableSays() async throws {
    for (method, facts) in try APITable().members("methods") {
      let call = try #require(CoverageTests.calls[method])
      let transport = StubTransport { _ in .json("{}") }
      try await call(CalendarClient(transport: transport, options: .init(checksLimits: false)))
      let outcome = facts["outcome"]
      let expected =
        facts["httpMethod"] != "POST" || facts["repeatable"] == true || outcome?["gone"] == true
        || outcome?["identified"] != nil
      #expect(transport.requests.map(\.isRepeatable) == [expected], "\(method)")
    }
  }

  @Test func everyConditionalChangeIsVerifiedByTheMethodThatReadsItsPath() async throws {
    let table = try APITable()
    let names = table.members("methods").filter { ["PUT", "PATCH", "DELETE"].contains($0.value["httpMethod"]) }.map(
      \.key)
    #expect(Set(Self.writes.keys) == Set(names))
    for (name, write) in Self.writes {
      var request = write
      request.ifMatch = "\"1\""
      let responses: [HTTPResponse] = [
        .refusal(503, "backendError"), .refusal(412, "conditionNotMet"),
        name.hasSuffix(".delete") ? .refusal(404, "notFound") : .json("{}"),
      ]
      let transport = StubTransport(responses[0], responses[1], responses[2])
      let client = CalendarClient(transport: transport, clock: ManualClock(skipsWaits: true))
      try await client.send(request)
      #expect(transport.requests.map(\.method) == [request.method, request.method, .get], "\(name)")
      let path = transport.paths[0].prefix { $0 != "?" }
      #expect(transport.paths[2] == path, "\(name): the parameters of the change are not those of the check")
      #expect(transport.requests[2].fields["If-Match"] == nil, "\(name)")
    }
  }

  @Test func everyWriteOfAWorkingLocationIsSentAlone() async throws {
    let event = Event { $0.eventType = .workingLocation }
    let patch = Event.Patch { $0.eventType = .set(.workingLocation) }
    let writes: [CalendarRequest<String?>] = [
      EventsResource.import(event, in: "c").map(\.id), EventsResource.insert(event, in: "c").map(\.id),
      EventsResource.patch(patch, for: "e", in: "c").map(\.id),
      EventsResource.update(event, for: "e", in: "c").map(\.id),
      EventsResource.update(
        Event { $0.workingLocationProperties = EventWorkingLocationProperties() }, for: "e", in: "c"
      ).map(\.id),
    ]
    // Other events, and other resources with a field of the name, are sent together.
    let others: [CalendarRequest<String?>] = [
      EventsResource.insert(Event(), in: "c").map(\.id),
      AclResource.insert(AclRule { $0.additionalFields["eventType"] = "workingLocation" }, in: "c").map(\.id),
    ]
    let transport = StubTransport.batching { _ in .json(#"{"id":"r"}"#) }
    let results = try await CalendarClient(transport: transport).batch(writes + others)
    #expect(try results.map { try $0.get() } == Array(repeating: "r", count: 7))
    #expect(transport.batchSizes == [0, 0, 0, 0, 0, 2])
  }
}
