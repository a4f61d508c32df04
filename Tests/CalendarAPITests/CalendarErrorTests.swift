// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Testing

struct CalendarErrorTests {
  private static func error(_ status: Int, _ body: String) async throws -> CalendarError {
    let transport = StubTransport { _ in .json(body, status: status) }
    let client = CalendarClient(transport: transport, clock: ManualClock(skipsWaits: true))
    let error = try await #require(throws: CalendarError.self) { try await client.colors.get() }
    #expect(transport.requests.count == (error.isRetryable ? 4 : 1))
    return error
  }

  static let rows: [(Int, CalendarError.Code, CalendarError.Remedy)] = [
    (400, .timeRangeEmpty, .changeRequest), (400, .required, .changeRequest), (400, .invalid, .changeRequest),
    (401, .authError, .signIn), (401, .required, .signIn), (401, "expired", .signIn),
    (403, .userRateLimitExceeded, .backOff), (403, .rateLimitExceeded, .backOff),
    (429, .rateLimitExceeded, .backOff),
    (429, "newLimit", .backOff), (403, .quotaExceeded, .pause), (403, .dailyLimitExceeded, .pause),
    (403, .forbiddenForNonOrganizer, .obtainAccess), (403, .requiredAccessLevel, .obtainAccess),
    (403, .insufficientPermissions, .obtainAccess), (403, .accessNotConfigured, .obtainAccess),
    (403, "somethingNew", .obtainAccess), (404, .notFound, .changeRequest), (409, .duplicate, .changeRequest),
    (409, .conflict, .backOff), (410, .fullSyncRequired, .synchronizeFully),
    (410, .updatedMinTooLongAgo, .synchronizeFully), (410, .deleted, .treatAsDone),
    (412, .conditionNotMet, .refetch),
    (500, .backendError, .backOff), (503, .backendError, .backOff), (502, "whatever", .backOff),
    // The reason counts, not the status.
    (400, .rateLimitExceeded, .backOff), (403, .backendError, .backOff), (404, .deleted, .treatAsDone),
  ]

  @Test(arguments: rows)
  func theReasonDecides(_ status: Int, _ code: CalendarError.Code, _ remedy: CalendarError.Remedy) async throws {
    let error = try await Self.error(
      status,
      """
      {"error":{"errors":[{"domain":"global","reason":"\(code)","message":"about ana@example.org",
      "locationType":"parameter","location":"timeMax"}],"code":\(status),"message":"about ana@example.org"}}
      """)
    #expect(error.code == code && error.status == status)
    #expect(error.remedy == remedy && error.isRetryable == (remedy == .backOff))
    #expect(error.serverMessage == "about ana@example.org")
    #expect(error.details.first?.location == "timeMax" && error.details.first?.domain == "global")
  }

  @Test(arguments: [
    (399, CalendarError.Remedy.inspectServer), (400, .changeRequest), (402, .changeRequest), (403, .obtainAccess),
    (407, .changeRequest), (408, .backOff), (409, .changeRequest), (411, .changeRequest), (412, .refetch),
    (413, .changeRequest), (428, .changeRequest), (429, .backOff), (430, .changeRequest), (499, .changeRequest),
    (500, .backOff), (599, .backOff),
  ])
  func statusDecidesWhereNoReasonIsKnown(_ status: Int, _ remedy: CalendarError.Remedy) async throws {
    let error = try await Self.error(status, #"{"error":{"errors":[{"reason":"somethingNew"}]}}"#)
    #expect(error.remedy == remedy)
    #expect(error.message == "The server refused the request. \(try #require(error.recoverySuggestion))")
  }

  @Test(arguments: [
    ("Invalid sync token value.", CalendarError.Code.invalidSyncToken, CalendarError.Remedy.synchronizeFully),
    ("Invalid sequence value. The specified sequence number is below the current.", .invalidSequence, .refetch),
    ("Invalid start time.", .invalid, .changeRequest),
  ]) func twoFaultsAreKnownByTheirMessageAlone(
    _ message: String, _ code: CalendarError.Code, _ remedy: CalendarError.Remedy
  ) async throws {
    let error = try await Self.error(
      400, #"{"error":{"errors":[{"reason":"invalid","message":"\#(message)"}],"code":400,"message":"\#(message)"}}"#)
    #expect(error.code == code && error.remedy == remedy)
  }

  @Test(arguments: [
    (403, "", CalendarError.Code.unexplained, CalendarError.Remedy.obtainAccess),
    (502, "<html><title>Error 502</title>secret</html>", .unexplained, .backOff),
    (503, "upstream secret", .unexplained, .backOff), (429, "{}", .unexplained, .backOff),
    (404, "[]", .unexplained, .changeRequest),
    (400, #"{"error":{"code":400}}"#, .unexplained, .changeRequest), (412, #"{"error":null}"#, .unexplained, .refetch),
    (403, #"{"error":{"errors":"secret"}}"#, .unexplained, .obtainAccess),
    (403, #"{"error":{"errors":[7,null,{"reason":9},{"reason":"quotaExceeded"}]}}"#, .quotaExceeded, .pause),
    (403, #"{"error":{"errors":[{"reason":"secret with spaces <b>"}]}}"#, .unexplained, .obtainAccess),
    (
      403, #"{"error":{"errors":[{"reason":"\#(String(repeating: "secret", count: 11))"}]}}"#, .unexplained,
      .obtainAccess
    ),
    (401, #"{"error":"invalid_token"}"#, "invalid_token", .signIn),
    (
      403, #"{"error":{"status":"PERMISSION_DENIED","details":[{},{"reason":"SERVICE_DISABLED"}]}}"#,
      "SERVICE_DISABLED", .obtainAccess
    ),
    (403, #"{"error":{"errors":[{"reason":"rateLimitExce"#, .unexplained, .obtainAccess),
    (
      403, "error: {\n  errors: [\n    {\"reason\": \"secret\"}\n  ],\n  \"code\": 403\n }\n}", .unexplained,
      .obtainAccess
    ),
    (
      403, #"{"error":{"errors":[{"domain":"usageLimits","reason":"ForbiddenError"}]}}"#, "ForbiddenError",
      .obtainAccess
    ),
    (500, #"{"error":{"errors":[{"message":"secret"}],"message":"secret"}}"#, .unexplained, .backOff),
    (304, "", .notModified, .useStored), (302, "", .unexplained, .inspectServer),
  ]) func anyContentIsTolerated(
    _ status: Int, _ body: String, _ code: CalendarError.Code, _ remedy: CalendarError.Remedy
  ) async throws {
    let error = try await Self.error(status, body)
    #expect(error.code == code && error.status == status && error.remedy == remedy)
    #expect(!"\(error)".contains("secret"))
  }

  /// The reasons and messages of Google that the package has words for.
  @Test func everyKnownFaultHasItsOwnExplanationAndARemedy() async throws {
    let codes: [CalendarError.Code] = [
      .invalidParameter, .required, .badRequest, .parseError, .timeRangeEmpty, .authError, .userRateLimitExceeded,
      .rateLimitExceeded, .quotaExceeded, .dailyLimitExceeded, .forbidden, .forbiddenForNonOrganizer,
      .requiredAccessLevel, .insufficientPermissions, .accessNotConfigured, .notFound, .duplicate, .conflict,
      .fullSyncRequired, .updatedMinTooLongAgo, .conditionNotMet, .backendError,
    ]
    let messages = [
      "Missing start time", "Missing end time", "Invalid start time", "Invalid end time",
      "Missing time zone definition for start time", "Missing time zone definition for end time",
      "Invalid time zone definition for start time", "Invalid time zone definition for end time",
      "Start and end times must either both be date or both be dateTime", "Invalid recurrence rule",
      "Invalid attendee email", "Invalid resource id value", "Invalid page token value", "Invalid sync token value",
      "The requested ordering is not available for the particular query", "Invalid sequence value", "Something new",
    ]
    let known = codes.map { ($0.rawValue, "x") } + messages.flatMap { [("invalid", $0), ("invalid", $0 + ".")] }
    var explanations: Set<String> = []
    for (reason, message) in known {
      let error = try await Self.error(400, #"{"error":{"errors":[{"reason":"\#(reason)"}],"message":"\#(message)"}}"#)
      #expect(error.message.hasPrefix("The server refused the request: ") && error.message.hasSuffix("."))
      #expect(error.message.split(separator: ". ").count >= 2, "\(error.message)")
      #expect(error.description == "\(error.message) [\(error.code), status 400]")
      #expect(error.errorDescription == error.message && error.localizedDescription == error.message)
      explanations.insert(error.message)
    }
    #expect(explanations.count == codes.count + messages.count)
  }

  @Test func missingTokenIsNoMissingParameter() async throws {
    let refusal = #"{"error":{"errors":[{"reason":"required","message":"Login Required."}]}}"#
    let (token, field) = (try await Self.error(401, refusal), try await Self.error(400, refusal))
    #expect(token.message.contains("access token") && !field.message.contains("access token"))
  }

  static let method: [Scope] = [
    .calendar, .calendarAppCreated, .calendarList, .calendarListReadOnly, .calendarEventsFreeBusy, .calendarEventsOwned,
    .calendarEventsOwnedReadOnly, .calendarEventsPublicReadOnly, .calendarReadOnly,
  ]
  static let legacy = #"{"error":{"errors":[{"reason":"insufficientPermissions"}]}}"#
  static let scopeRows: [(body: String, challenge: String, scopes: [Scope])] = [
    (legacy, #"Bearer error="insufficient_scope", scope="a b""#, ["a", "b"]),
    (legacy, #"Basic realm="x", Bearer error="insufficient_scope", scope="a""#, ["a"]),
    (legacy, "", method), (legacy, "Bearer", method),
    (legacy, #"Bearer error="insufficient_scope", scope="\"""#, method),
    (#"{"error":{"details":[{"reason":"ACCESS_TOKEN_SCOPE_INSUFFICIENT"}]}}"#, "", method),
    (#"{"error":"insufficient_scope"}"#, "", method),
    ("<html>", #"Bearer error="insufficient_scope""#, method),
    // Other reasons name no scopes.
    ("<html>", #"Bearer error="invalid_token", scope="a""#, []),
    (#"{"error":{"errors":[{"reason":"quotaExceeded"}]}}"#, #"Bearer error="insufficient_scope", scope="a""#, []),
  ]

  @Test(arguments: scopeRows)
  func missingScopesAreNamed(_ body: String, _ challenge: String, _ scopes: [Scope]) async throws {
    var response = HTTPResponse.json(body, status: 403)
    response.fields["WWW-Authenticate"] = challenge
    let error = try await #require(throws: CalendarError.self) {
      try await CalendarClient(transport: StubTransport(response)).colors.get()
    }
    #expect(error.acceptedScopes == scopes && (error.code == .insufficientPermissions) == !scopes.isEmpty)
  }

  // MARK: The name at fault

  /// The refusal of a request, for the parameter, field or header field that the server names.
  private static func refusal(of request: CalendarRequest<Event>, location: String) async throws -> CalendarError {
    let body =
      #"{"error":{"errors":[{"domain":"global","reason":"invalid","message":"secret","locationType":"parameter","location":"\#(location)"}]}}"#
    let client = CalendarClient(transport: StubTransport(.json(body, status: 400)))
    return try await #require(throws: CalendarError.self) { try await client.send(request) }
  }

  @Test(arguments: [
    // Parameters, header fields and fields that the request does not have, and text that is no name.
    "secret", "secret@example.org", "singleEvents", "start.secret", "start.", ".start", "", "start.date.secret",
    "If-None-Match", "quotaUser", "fields", "orderBy secret",
  ]) func nameThatTheRequestDoesNotHaveIsNotShown(_ location: String) async throws {
    var request = EventsResource.update(
      try Event(json: Array(#"{"start": {"date": "2026-11-23"}}"#.utf8)), for: "secret", in: "secret")
    request.ifMatch = "secret"
    let error = try await Self.refusal(of: request, location: location)
    #expect(error.location == nil && error.details.first?.location == location)
    var dumped = ""
    dump(error, to: &dumped)
    dump(error.details, to: &dumped)
    for text in ["\(error)", "\(error.details)", dumped] { #expect(!text.contains("secret"), "\(text)") }
    #expect(!error.description.contains("("), "\(error)")
  }

  @Test(arguments: [
    ("If-Match", #"(header field "If-Match")"#), ("If-None-Match", #"(header field "If-None-Match")"#),
    ("quotaUser", #"(parameter "quotaUser")"#), ("fields", #"(parameter "fields")"#), ("end", #"(field "end")"#),
    ("start.date", #"(field "start.date")"#),
  ]) func nameOfTheRequestIsShown(_ location: String, _ place: String) async throws {
    var request = EventsResource.insert(
      try Event(json: Array(#"{"start": {"date": "2026-11-23"}, "end": {"date": "2026-11-24"}}"#.utf8)), in: "primary")
    request.ifMatch = "x"
    request.ifNoneMatch = "y"
    request.quotaUser = "u"
    request.fieldMask = FieldMask(\.id)
    let error = try await Self.refusal(of: request, location: location)
    #expect(error.location == location)
    #expect(error.description.contains(place) && "\(error.details)".contains(place))
  }
}
