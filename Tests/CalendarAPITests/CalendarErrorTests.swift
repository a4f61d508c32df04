// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Testing

struct CalendarErrorTests {
  private static func error(_ status: Int, _ body: String) async throws -> CalendarError {
    let client = CalendarClient(
      transport: StubTransport(.json(body, status: status)),
      options: .init(retryPolicy: RetryPolicy(maximumAttempts: 1)))
    return try await #require(throws: CalendarError.self) { try await client.colors.get() }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let status: Int
    let code: CalendarError.Code
    let remedy: CalendarError.Remedy
    var testDescription: String { "\(status) \(code)" }

    init(_ status: Int, _ code: CalendarError.Code, _ remedy: CalendarError.Remedy) {
      self.status = status
      self.code = code
      self.remedy = remedy
    }
  }

  static let rows = [
    Row(400, .timeRangeEmpty, .changeRequest), Row(400, .required, .changeRequest), Row(400, .invalid, .changeRequest),
    Row(401, .authError, .signIn), Row(401, .required, .signIn), Row(401, "expired", .signIn),
    Row(403, .userRateLimitExceeded, .backOff), Row(403, .rateLimitExceeded, .backOff),
    Row(429, .rateLimitExceeded, .backOff),
    Row(429, "newLimit", .backOff), Row(403, .quotaExceeded, .pause), Row(403, .dailyLimitExceeded, .pause),
    Row(403, .forbiddenForNonOrganizer, .obtainAccess), Row(403, .requiredAccessLevel, .obtainAccess),
    Row(403, .insufficientPermissions, .obtainAccess), Row(403, .accessNotConfigured, .obtainAccess),
    Row(403, "somethingNew", .obtainAccess), Row(404, .notFound, .changeRequest), Row(409, .duplicate, .changeRequest),
    Row(409, .conflict, .backOff), Row(410, .fullSyncRequired, .synchronizeFully),
    Row(410, .updatedMinTooLongAgo, .synchronizeFully), Row(410, .deleted, .treatAsDone),
    Row(412, .conditionNotMet, .refetch),
    Row(500, .backendError, .backOff), Row(503, .backendError, .backOff), Row(502, "whatever", .backOff),
    // The reason counts, not the status.
    Row(400, .rateLimitExceeded, .backOff), Row(403, .backendError, .backOff), Row(404, .deleted, .treatAsDone),
  ]

  @Test(arguments: rows) func theReasonDecides(_ row: Row) async throws {
    let error = try await Self.error(
      row.status,
      """
      {"error":{"errors":[{"domain":"global","reason":"\(row.code)","message":"about ana@example.org",
      "locationType":"parameter","location":"timeMax"}],"code":\(row.status),"message":"about ana@example.org"}}
      """)
    #expect(error.code == row.code)
    #expect(error.status == row.status)
    #expect(error.remedy == row.remedy)
    #expect(error.isRetryable == (row.remedy == .backOff))
    #expect(error.serverMessage == "about ana@example.org")
    #expect(error.details.first?.location == "timeMax")
    #expect(error.details.first?.domain == "global")
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
    #expect(error.code == code)
    #expect(error.remedy == remedy)
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
    #expect(error.code == code)
    #expect(error.status == status)
    #expect(error.remedy == remedy)
    #expect(!"\(error)".contains("secret"))
  }

  @Test func noDescriptionShowsWhatTheServerSays() async throws {
    let error = try await Self.error(
      403,
      #"{"error":{"errors":[{"reason":"forbidden","message":"ana@example.org","location":"ana@example.org"}],"message":"ana@example.org"}}"#
    )
    var dumped = ""
    dump(error, to: &dumped)
    dump(error.details, to: &dumped)
    for text in ["\(error)", String(reflecting: error), dumped, "\(error.details)"] {
      #expect(text.contains("forbidden"))
      #expect(!text.contains("ana@"))
    }
  }

  @Test func theDescriptionSaysWhatToDo() async throws {
    let error = try await Self.error(403, #"{"error":{"errors":[{"reason":"quotaExceeded"}]}}"#)
    #expect(
      error.description
        == "The server refused the request: a limit of Google Calendar is used up. Stop for now: the quota may stay used up for hours. [quotaExceeded, status 403]"
    )
  }
}
