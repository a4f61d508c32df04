// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import HTTPTransport
import Testing

/// The errors of calls on calendars, their list, their access rules, free time and channels.
@Suite struct CalendarFaultTests {
  @Test(
    arguments: [
      (
        .delete, "calendars/primary", nil,
        "403 PERMISSION_DENIED calendar/cannotDeletePrimaryCalendar: The primary calendar cannot be deleted."
      ),
      (.post, "calendars", "{}", "400 INVALID_ARGUMENT global/required: Missing summary."),
      (.post, "calendars", #"{"summary":""}"#, "400 INVALID_ARGUMENT global/required: Missing summary."),
      (
        .post, "calendars", #"{"summary":"a","timeZone":"Mars"}"#,
        "400 INVALID_ARGUMENT global/invalid: Invalid time zone."
      ),
      (.get, "calendars/other", nil, "404 NOT_FOUND global/notFound: Not Found"),
      (.post, "users/me/calendarList", "{}", "400 INVALID_ARGUMENT global/required: Missing calendar identifier."),
      (
        .delete, "users/me/calendarList/primary", nil,
        "403 PERMISSION_DENIED calendar/forbidden: The primary calendar cannot be removed from the list."
      ),
      (
        .patch, "users/me/calendarList/primary", #"{"colorId":"99"}"#,
        "400 INVALID_ARGUMENT global/invalid: Invalid color identifier."
      ),
      (
        .patch, "users/me/calendarList/primary?colorRgbFormat=true",
        ##"{"backgroundColor":"red","foregroundColor":"#000000"}"##,
        "400 INVALID_ARGUMENT global/invalid: Invalid background color."
      ),
      (
        .patch, "users/me/calendarList/primary?colorRgbFormat=true",
        ##"{"backgroundColor":"#000000","foregroundColor":"red"}"##,
        "400 INVALID_ARGUMENT global/invalid: Invalid foreground color."
      ),
      (.post, "calendars/primary/acl", #"{"role":"reader"}"#, "400 INVALID_ARGUMENT global/required: Missing scope."),
      (
        .post, "calendars/primary/acl", #"{"scope":{"type":"default"}}"#,
        "400 INVALID_ARGUMENT global/required: Missing role."
      ),
      (
        .post, "calendars/primary/acl", #"{"role":"writer","scope":{"type":"default"}}"#,
        "400 INVALID_ARGUMENT global/invalid: Everyone cannot be granted this role."
      ),
      (
        .post, "calendars/primary/acl", #"{"role":"reader","scope":{"type":"user","value":"person@example.com"}}"#,
        "403 PERMISSION_DENIED calendar/cannotRemoveLastCalendarOwnerFromAcl: Cannot remove the last owner of the calendar."
      ),
      (.get, "calendars/primary/acl/user:nobody@example.com", nil, "404 NOT_FOUND global/notFound: Not Found"),
      (
        .post, "freeBusy", #"{"timeMax":"2026-01-02T00:00:00Z","items":[]}"#,
        "400 INVALID_ARGUMENT global/required: Missing timeMin."
      ),
      (
        .post, "freeBusy", #"{"timeMin":"2026-01-02T00:00:00Z","items":[]}"#,
        "400 INVALID_ARGUMENT global/required: Missing timeMax."
      ),
      (
        .post, "freeBusy", #"{"timeMin":"now","timeMax":"2026-01-02T00:00:00Z","items":[]}"#,
        "400 INVALID_ARGUMENT global/invalid: Invalid timeMin."
      ),
      (
        .post, "freeBusy", #"{"timeMin":"2026-01-02T00:00:00Z","timeMax":"2026-01-02T00:00:00Z","items":[]}"#,
        "400 INVALID_ARGUMENT calendar/timeRangeEmpty: The specified time range is empty."
      ),
      (
        .post, "freeBusy", #"{"timeMin":"2026-01-02T00:00:00Z","timeMax":"2026-01-03T00:00:00Z","items":[{}]}"#,
        "400 INVALID_ARGUMENT global/required: Missing calendar identifier."
      ),
      (
        .post, "freeBusy",
        #"{"timeMin":"2026-01-02T00:00:00Z","timeMax":"2026-01-03T00:00:00Z","timeZone":"Mars","items":[]}"#,
        "400 INVALID_ARGUMENT global/invalid: Invalid time zone."
      ),
      (
        .post, "channels/stop", #"{"id":"a"}"#,
        "400 INVALID_ARGUMENT global/required: Missing channel or resource identifier."
      ),
      (
        .post, "calendars/primary/events/watch", #"{"type":"web_hook","address":"https://example.com/"}"#,
        "400 INVALID_ARGUMENT global/required: Missing channel identifier."
      ),
      (
        .post, "calendars/primary/events/watch", #"{"id":"a b","type":"web_hook","address":"https://example.com/"}"#,
        "400 INVALID_ARGUMENT global/invalid: Invalid channel identifier."
      ),
      (.get, "users/me/settings/none", nil, "404 NOT_FOUND global/notFound: Not Found"),
      (.post, "calendars/primary/events/import", "{}", "400 INVALID_ARGUMENT global/required: Missing iCal UID."),
      (
        .post, "calendars/primary/events/import", #"{"iCalUID":"a","eventType":"focusTime"}"#,
        "400 INVALID_ARGUMENT global/invalid: Only events of the default type can be imported."
      ),
      (
        .post, "calendars/primary/acl", #"{"role":"reader","scope":{}}"#,
        "400 INVALID_ARGUMENT global/required: Missing scope type."
      ),
      (
        .post, "calendars/primary/acl", #"{"role":"reader","scope":{"type":"user"}}"#,
        "400 INVALID_ARGUMENT global/required: Missing scope value."
      ),
      (
        .post, "calendars/primary/acl", #"{"role":"reader","scope":{"type":"user","value":"a"}}"#,
        "400 INVALID_ARGUMENT global/invalid: Invalid scope value."
      ),
      (
        .post, "freeBusy",
        #"{"timeMin":"2026-01-02T00:00:00Z","timeMax":"2026-01-03T00:00:00Z","groupExpansionMax":101,"items":[]}"#,
        "400 INVALID_ARGUMENT global/invalid: The value of groupExpansionMax is too large."
      ),
      (
        .post, "freeBusy",
        #"{"timeMin":"2026-01-02T00:00:00Z","timeMax":"2026-01-03T00:00:00Z","calendarExpansionMax":51,"items":[]}"#,
        "400 INVALID_ARGUMENT global/invalid: The value of calendarExpansionMax is too large."
      ),
      (
        .post, "calendars/primary/events/watch",
        #"{"id":"a","token":"\#(String(repeating: "t", count: 257))","type":"web_hook","address":"https://example.com/"}"#,
        "400 INVALID_ARGUMENT global/invalid: The channel token is too long."
      ),
      (
        .post, "calendars/primary/events/watch",
        #"{"id":"a","expiration":"1","type":"web_hook","address":"https://example.com/"}"#,
        "400 INVALID_ARGUMENT global/invalid: Invalid channel expiration."
      ),
      (
        .get, "calendars/primary/events?maxResults=1&maxResults=2", nil,
        "400 INVALID_ARGUMENT global/invalidParameter [parameter maxResults]: A parameter is repeated."
      ),
      (
        .patch, "users/me/calendarList/primary?colorRgbFormat=true",
        ##"{"backgroundColor":"#+1+1+1","foregroundColor":"#000000"}"##,
        "400 INVALID_ARGUMENT global/invalid: Invalid background color."
      ),
      (
        .patch, "users/me/calendarList/primary?colorRgbFormat=true",
        ##"{"backgroundColor":"#0000000","foregroundColor":"#000000"}"##,
        "400 INVALID_ARGUMENT global/invalid: Invalid background color."
      ),
    ] as [(HTTPMethod, String, String?, String)])
  func faultIsExplained(_ method: HTTPMethod, _ path: String, _ body: String?, _ error: String) async throws {
    let harness = try SandboxHarness()
    #expect(try await harness.call(method, path, body, token: try await harness.token()).apiError == error)
  }

  /// The reverse: what is beside each of the rules is accepted.
  @Test(
    arguments: [
      (.post, "calendars", #"{"summary":"a","timeZone":"Europe/Berlin"}"#),
      (.patch, "users/me/calendarList/primary", #"{"colorId":"9"}"#),
      (
        .patch, "users/me/calendarList/primary?colorRgbFormat=true",
        ##"{"backgroundColor":"#ff0000","foregroundColor":"#000000"}"##
      ),
      (.post, "calendars/primary/acl", #"{"role":"reader","scope":{"type":"default"}}"#),
      (.post, "calendars/primary/acl", #"{"role":"freeBusyReader","scope":{"type":"default"}}"#),
      (.post, "calendars/primary/acl", #"{"role":"owner","scope":{"type":"user","value":"person@example.com"}}"#),
      (.post, "calendars/primary/acl", #"{"role":"writer","scope":{"type":"user","value":"ana@example.com"}}"#),
      (.post, "freeBusy", #"{"timeMin":"2026-01-02T00:00:00Z","timeMax":"2026-01-02T00:00:01Z","items":[]}"#),
      (
        .post, "freeBusy",
        #"{"timeMin":"2026-01-02T00:00:00Z","timeMax":"2026-01-03T00:00:00Z","groupExpansionMax":100,"items":[]}"#
      ),
      (
        .post, "freeBusy",
        #"{"timeMin":"2026-01-02T00:00:00Z","timeMax":"2026-01-03T00:00:00Z","calendarExpansionMax":50,"items":[]}"#
      ),
      (
        .post, "calendars/primary/events/watch",
        #"{"id":"a","token":"\#(String(repeating: "t", count: 256))","type":"web_hook","address":"https://example.com/"}"#
      ),
    ] as [(HTTPMethod, String, String)])
  func neighbourIsAccepted(_ method: HTTPMethod, _ path: String, _ body: String) async throws {
    let harness = try SandboxHarness()
    #expect(try await harness.call(method, path, body, token: try await harness.token()).status == 200)
  }

  @Test func eventMovesToAnotherCalendarOnly() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let event = try await harness.call(
      .post, "calendars/primary/events", #"{"start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#, token: token)
    let id = try #require(event["id"])
    #expect(
      try await harness.call(.post, "calendars/primary/events/\(id)/move?destination=primary", token: token).apiError
        == "400 INVALID_ARGUMENT global/invalid: The event is in this calendar already.")
    let other = try await harness.call(.post, "calendars", #"{"summary":"Other"}"#, token: token)
    let calendar = try #require(other["id"])
    #expect(
      try await harness.call(.post, "calendars/\(calendar)/clear", token: token).apiError
        == "400 INVALID_ARGUMENT global/invalid: Only the primary calendar can be cleared.")
    let moved = try await harness.call(
      .post, "calendars/primary/events/\(id)/move?destination=\(calendar)", token: token)
    #expect(moved.status == 200 && moved["id"] == id)
    #expect(try await harness.call(.get, "calendars/\(calendar)/events/\(id)", token: token).status == 200)
    #expect(try await harness.call(.post, "calendars/primary/clear", token: token).status == 204)
  }
}
