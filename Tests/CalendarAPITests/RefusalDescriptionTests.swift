// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Testing

/// The description of a refusal: the finding and the remedy in words of the package, and the name that is at fault if the request
/// has it.
struct RefusalDescriptionTests {
  private static func refusal<Response>(
    of request: CalendarRequest<Response>, _ status: Int, _ reason: String, _ message: String,
    domain: String = "global", location: String? = nil
  ) async throws -> CalendarError {
    let place = location.map { #","locationType":"parameter","location":"\#($0)""# } ?? ""
    let body =
      #"{"error":{"errors":[{"domain":"\#(domain)","reason":"\#(reason)","message":"\#(message)"\#(place)}],"code":\#(status),"message":"\#(message)"}}"#
    let client = CalendarClient(
      transport: StubTransport(.json(body, status: status)),
      options: .init(retryPolicy: RetryPolicy(maximumAttempts: 1)))
    return try await #require(throws: CalendarError.self) { try await client.send(request) }
  }

  private static func list(_ query: EventsResource.ListQuery) -> CalendarRequest<Events> {
    EventsResource.list(calendarId: "primary", query)
  }

  private static var insertion: CalendarRequest<Event> {
    get throws {
      let json =
        #"{"start": {"date": "2026-11-23", "timeZone": "Mars/Olympus"}, "end": {"date": "2026-11-24"}}"#
      return EventsResource.insert(try Event(json: Array(json.utf8)), calendarId: "primary")
    }
  }

  @Test func fiveCommonRefusals() async throws {
    let start = try await Self.refusal(of: try Self.insertion, 400, "required", "Missing start time.")
    #expect(
      "\(start)"
        == "The server refused the request: the event has no start. Set its start. [required, status 400]")
    let order = try await Self.refusal(
      of: Self.list(.init(orderBy: .startTime)), 400, "badRequest",
      "The requested ordering is not available for the particular query.", location: "orderBy")
    #expect(
      "\(order)"
        == #"The server refused the request (parameter "orderBy"): this order needs single events. Set singleEvents, or leave orderBy out. [badRequest, status 400]"#
    )
    #expect(order.location == "orderBy")
    #expect("\(order.details)" == #"[global: badRequest (parameter "orderBy")]"#)
    let zone = try await Self.refusal(
      of: Self.insertion, 400, "invalid", "Invalid time zone definition for start time.", location: "start.timeZone")
    #expect(
      "\(zone)"
        == #"The server refused the request (field "start.timeZone"): the time zone of the start is unknown. Use a name of the IANA database, such as Europe/Berlin. [invalid, status 400]"#
    )
    let rule = try await Self.refusal(of: try Self.insertion, 400, "invalid", "Invalid recurrence rule.")
    #expect(
      "\(rule)"
        == "The server refused the request: a recurrence rule is not valid. Use the lines of RFC 5545, without DTSTART and DTEND. [invalid, status 400]"
    )
    let page = try await Self.refusal(
      of: Self.list(.init(pageToken: "stale")), 400, "invalid", "Bad token.", location: "pageToken")
    #expect(
      "\(page)"
        == #"The server refused the request (parameter "pageToken"): the page token is not valid for it. Start again with the first page, and keep the parameters the same. [invalid, status 400]"#
    )
    let absent = try await Self.refusal(of: Self.list(.init()), 404, "notFound", "Not Found")
    #expect(
      "\(absent)"
        == "The server refused the request: there is no such resource, or the account cannot see it. Check the identifiers and the account. [notFound, status 404]"
    )
  }

  @Test(arguments: [
    // Parameters, header fields and fields that the request does not have, and text that is no name.
    "secret", "secret@example.org", "singleEvents", "start.secret", "start.", ".start", "", "start.date.secret",
    "If-None-Match", "orderBy secret",
  ]) func locationThatTheRequestDoesNotHaveIsNotShown(_ location: String) async throws {
    var request = EventsResource.update(
      try Event(json: Array(#"{"start": {"date": "2026-11-23"}}"#.utf8)), calendarId: "secret", eventId: "secret")
    request.ifMatch = "secret"
    let error = try await Self.refusal(of: request, 400, "invalidParameter", "secret", location: location)
    #expect(error.location == nil)
    #expect(error.details.first?.location == location)
    var dumped = ""
    dump(error, to: &dumped)
    dump(error.details, to: &dumped)
    for text in ["\(error)", "\(error.details)", dumped] { #expect(!text.contains("secret"), "\(text)") }
    #expect(!error.description.contains("("), "\(error)")
  }

  @Test func namesOfTheRequestAreShown() async throws {
    var request = try Self.insertion
    request.ifMatch = "x"
    for (location, place) in [
      ("If-Match", #"(header field "If-Match")"#), ("end", #"(field "end")"#), ("start.date", #"(field "start.date")"#),
    ] {
      let error = try await Self.refusal(of: request, 400, "invalid", "No.", location: location)
      #expect(error.location == location)
      #expect(error.description.contains(place))
    }
  }

  @Test func hostileReasonAndDomainAreNotShown() async throws {
    let hostile = "go to evil.example"
    let byReason = try await Self.refusal(of: try Self.insertion, 400, hostile, "x")
    #expect("\(byReason.details)" == "[global: ?]")
    let byDomain = try await Self.refusal(of: try Self.insertion, 400, "invalid", "x", domain: hostile)
    #expect("\(byDomain.details)" == "[?: invalid]")
    for error in [byReason, byDomain] {
      var dumped = ""
      dump(error.details, to: &dumped)
      #expect(!dumped.contains("evil"))
    }
  }

  @Test func missingTokenIsNoMissingParameter() async throws {
    let error = try await Self.refusal(
      of: Self.insertion, 401, "required", "Login Required.", location: "Authorization")
    #expect(
      "\(error)"
        == "The server refused the request: the access token is not valid. Refresh the access token once; if that does not help, sign in again. [required, status 401]"
    )
  }
}
