// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
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

  private static func list(_ query: EventsResource.ListQuery) -> CalendarRequest<EventsPage> {
    EventsResource.list(in: "primary", query)
  }

  private static var insertion: CalendarRequest<Event> {
    get throws {
      let json =
        #"{"start": {"date": "2026-11-23", "timeZone": "Mars/Olympus"}, "end": {"date": "2026-11-24"}}"#
      return EventsResource.insert(try Event(json: Array(json.utf8)), in: "primary")
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
      try Event(json: Array(#"{"start": {"date": "2026-11-23"}}"#.utf8)), for: "secret", in: "secret")
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
    for location in ["If-Match", "If-None-Match", "quotaUser", "fields"] {
      #expect(try await Self.refusal(of: request, 400, "invalid", "No.", location: location).location == nil)
    }
    request.ifMatch = "x"
    request.ifNoneMatch = "y"
    request.quotaUser = "u"
    request.fieldMask = FieldMask(\.id)
    for (location, place) in [
      ("If-Match", #"(header field "If-Match")"#), ("If-None-Match", #"(header field "If-None-Match")"#),
      ("quotaUser", #"(parameter "quotaUser")"#), ("fields", #"(parameter "fields")"#), ("end", #"(field "end")"#),
      ("start.date", #"(field "start.date")"#),
    ] {
      let error = try await Self.refusal(of: request, 400, "invalid", "No.", location: location)
      #expect(error.location == location)
      #expect(error.description.contains(place))
    }
  }

  @Test(arguments: [
    (CalendarError.Code.invalid, "a parameter or field is not valid", String?.none),
    (.invalidParameter, "a parameter has a value that is not allowed", nil),
    (.required, "a parameter or field is missing", nil),
    (.badRequest, "it is malformed, or its parameters exclude each other", nil),
    (.parseError, "the server cannot read its body", nil),
    (.timeRangeEmpty, "the end of the time range is not after its start", nil),
    (.authError, "the access token is not valid", nil),
    (.userRateLimitExceeded, "the user has sent too many requests in a short time", nil),
    (.rateLimitExceeded, "too many requests came in a short time", nil),
    (.quotaExceeded, "a limit of Google Calendar is used up", nil),
    (
      .dailyLimitExceeded, "the project's requests of the day are used up",
      "Stop until the next day, or raise the project's quota."
    ),
    (.forbidden, "the account has no access", "Ask the owner for access, or use another account."),
    (
      .forbiddenForNonOrganizer, "only the organizer may change these fields",
      "Change only what belongs to the user's own copy, with a patch."
    ),
    (
      .requiredAccessLevel, "the account's access to the calendar is too low",
      "Ask the owner for more access, or use another account."
    ),
    (
      .insufficientPermissions, "the granted scopes do not allow it",
      "Sign in again for a scope that the method accepts."
    ),
    (
      .accessNotConfigured, "the client's project does not use the Calendar API",
      "Enable the API in the Google Cloud console."
    ),
    (
      .notFound, "there is no such resource, or the account cannot see it",
      "Check the identifiers and the account."
    ),
    (
      .duplicate, "the identifier is taken",
      "If it was sent before, read what has it; otherwise use another identifier."
    ),
    (.conflict, "it conflicts with another change", nil), (.fullSyncRequired, "the sync token has expired", nil),
    (.updatedMinTooLongAgo, "updatedMin is too long ago", nil),
    (.conditionNotMet, "the resource is no longer the version that the request names", nil),
    (.backendError, "the server has a temporary fault", nil), (.internalError, "the server has a temporary fault", nil),
  ])
  func everyReasonIsExplained(_ code: CalendarError.Code, _ finding: String, _ advice: String?) async throws {
    let error = try await Self.refusal(of: ColorsResource.get(), 400, code.rawValue, "x")
    let remedy = try #require(error.recoverySuggestion)
    #expect(error.message == "The server refused the request: \(finding). \(advice ?? remedy)")
    #expect(error.description == "\(error.message) [\(code), status 400]")
    #expect(error.errorDescription == error.message && error.localizedDescription == error.message)
  }

  @Test(arguments: [
    ("Missing start time", "the event has no start", "Set its start."),
    ("Missing end time", "the event has no end", "Set its end."),
    (
      "Invalid start time", "the event's start is not valid",
      "Set a day, or a time with its UTC offset or time zone."
    ),
    ("Invalid end time", "the event's end is not valid", "Set a day, or a time with its UTC offset or time zone."),
    (
      "Missing time zone definition for start time", "the start has no time zone",
      "Set timeZone: a recurring event needs one beside the UTC offset."
    ),
    (
      "Missing time zone definition for end time", "the end has no time zone",
      "Set timeZone: a recurring event needs one beside the UTC offset."
    ),
    (
      "Invalid time zone definition for start time", "the time zone of the start is unknown",
      "Use a name of the IANA database, such as Europe/Berlin."
    ),
    (
      "Invalid time zone definition for end time", "the time zone of the end is unknown",
      "Use a name of the IANA database, such as Europe/Berlin."
    ),
    (
      "Start and end times must either both be date or both be dateTime",
      "the event starts with a day and ends with a time, or the reverse", "Set days for both, or times for both."
    ),
    (
      "Invalid recurrence rule", "a recurrence rule is not valid",
      "Use the lines of RFC 5545, without DTSTART and DTEND."
    ),
    ("Invalid attendee email", "an attendee's e-mail address is not valid", "Correct or remove the address."),
    (
      "Invalid resource id value", "the identifier is not valid",
      "Use 5 to 1,024 characters from a to v and 0 to 9."
    ),
    (
      "Invalid page token value", "the page token is not valid for it",
      "Start again with the first page, and keep the parameters the same."
    ),
    (
      "The requested ordering is not available for the particular query", "this order needs single events",
      "Set singleEvents, or leave orderBy out."
    ),
    (
      "Invalid sync token value", "the sync token is not valid",
      "Discard the sync token and the stored items, and list everything again."
    ),
    (
      "Invalid sequence value", "the event's sequence number is too low",
      "Read the resource again, apply the change to that version, and send it."
    ),
  ])
  func everyKnownMessageIsExplained(_ message: String, _ finding: String, _ advice: String) async throws {
    for end in ["", "."] {
      let error = try await Self.refusal(of: ColorsResource.get(), 400, "invalid", message + end)
      #expect(error.message == "The server refused the request: \(finding). \(advice)")
    }
  }

  @Test(arguments: [
    (
      CalendarError.Remedy.changeRequest, "changeRequest", 400, "invalid",
      "Change the request: as it is, it will not succeed."
    ),
    (.signIn, "signIn", 401, "authError", "Refresh the access token once; if that does not help, sign in again."),
    (.backOff, "backOff", 503, "backendError", "Send the request again with exponential backoff and jitter."),
    (.pause, "pause", 403, "quotaExceeded", "Stop for now: the quota may stay used up for hours."),
    (
      .obtainAccess, "obtainAccess", 403, "forbidden",
      "Ask for access: the account, the application or its scopes do not allow this."
    ),
    (
      .refetch, "refetch", 412, "conditionNotMet",
      "Read the resource again, apply the change to that version, and send it."
    ),
    (
      .synchronizeFully, "synchronizeFully", 410, "fullSyncRequired",
      "Discard the sync token and the stored items, and list everything again."
    ),
    (
      .treatAsDone, "treatAsDone", 410, "deleted",
      "The resource is deleted already: treat a deletion as done."
    ),
    (.useStored, "useStored", 304, "notModified", "Use the stored copy: the resource has not changed."),
    (
      .inspectServer, "inspectServer", 302, "moved",
      "Check the URL and any proxy between this program and the server."
    ),
  ])
  func everyRemedyHasItsAdvice(
    _ remedy: CalendarError.Remedy, _ name: String, _ status: Int, _ reason: String, _ advice: String
  ) async throws {
    let error = try await Self.refusal(of: ColorsResource.get(), status, reason, "x")
    #expect(error.remedy == remedy && "\(remedy)" == name)
    #expect(error.recoverySuggestion == advice)
    #expect(Set([remedy, error.remedy]).count == 1)
  }

  @Test(arguments: [
    (399, CalendarError.Remedy.inspectServer), (400, .changeRequest), (402, .changeRequest), (403, .obtainAccess),
    (407, .changeRequest), (408, .backOff), (409, .changeRequest), (411, .changeRequest), (412, .refetch),
    (413, .changeRequest), (428, .changeRequest), (429, .backOff), (430, .changeRequest), (499, .changeRequest),
    (500, .backOff), (599, .backOff),
  ])
  func statusDecidesWhereNoReasonIsKnown(_ status: Int, _ remedy: CalendarError.Remedy) async throws {
    let error = try await Self.refusal(of: ColorsResource.get(), status, "somethingNew", "x")
    #expect(error.remedy == remedy)
    #expect(error.message == "The server refused the request. \(try #require(error.recoverySuggestion))")
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
