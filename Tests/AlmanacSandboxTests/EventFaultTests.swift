// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

/// The errors of an event that cannot be stored.
@Suite struct EventFaultTests {
  private static let events = "calendars/primary/events"
  private static let day = #""start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}"#
  private static let timed =
    #""start":{"dateTime":"2026-01-02T10:00:00Z"},"end":{"dateTime":"2026-01-02T11:00:00Z"}"#

  private func insert(_ json: String, into path: String = events) async throws -> Answer {
    let harness = try SandboxHarness()
    return try await harness.call(
      .post, path + "?supportsAttachments=true", json, token: try await harness.token())
  }

  @Test(
    "The times of an event",
    arguments: [
      (#""end":{"date":"2026-01-03"}"#, "required", "Missing start time."),
      (#""start":{"date":"2026-01-02"}"#, "required", "Missing end time."),
      (#""start":{"date":"2026-1-2"},"end":{"date":"2026-01-03"}"#, "invalid", "Invalid start time."),
      (#""start":{"date":"2026-01-02"},"end":{"date":"never"}"#, "invalid", "Invalid end time."),
      (
        #""start":{"dateTime":"at ten","timeZone":"UTC"},"end":{"dateTime":"2026-01-02T11:00:00Z"}"#, "invalid",
        "Invalid start time."
      ),
      (
        #""start":{"dateTime":"2026-01-02T10:00:00"},"end":{"dateTime":"2026-01-02T11:00:00Z"}"#, "required",
        "Missing time zone definition for start time."
      ),
      (
        #""start":{"dateTime":"2026-01-02T10:00:00Z"},"end":{"dateTime":"2026-01-02T11:00:00","timeZone":"Mars"}"#,
        "invalid", "Invalid time zone definition for end time."
      ),
      (
        #""start":{"date":"2026-01-02","dateTime":"2026-01-02T10:00:00Z"},"end":{"date":"2026-01-03"}"#, "invalid",
        "Invalid start time: both date and dateTime are set."
      ),
      (
        #""start":{"date":"2026-01-02"},"end":{"dateTime":"2026-01-03T10:00:00Z"}"#, "invalid",
        "Start and end times must either both be date or both be dateTime."
      ),
      (
        #""recurrence":["RRULE:FREQ=DAILY"],"start":{"dateTime":"2026-01-02T10:00:00Z"},"end":{"dateTime":"2026-01-02T11:00:00Z"}"#,
        "required", "Missing time zone definition for start time."
      ),
      (
        #""recurrence":["RRULE:FREQ=ODD"],"start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}"#, "invalid",
        "Invalid recurrence rule."
      ),
    ])
  func times(members: String, reason: String, message: String) async throws {
    #expect(try await insert("{\(members)}").apiError == "400 INVALID_ARGUMENT global/\(reason): \(message)")
  }

  @Test(
    "A day may not be empty, a time may",
    arguments: [
      (#""start":{"date":"2026-01-02"},"end":{"date":"2026-01-02"}"#, false),
      (#""start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}"#, true),
      (#""start":{"dateTime":"2026-01-02T10:00:00Z"},"end":{"dateTime":"2026-01-02T10:00:00Z"}"#, true),
      (#""start":{"dateTime":"2026-01-02T10:00:01Z"},"end":{"dateTime":"2026-01-02T10:00:00Z"}"#, false),
    ])
  func emptyRanges(members: String, isAccepted: Bool) async throws {
    let answer = try await insert("{\(members)}")
    #expect(
      isAccepted
        ? answer.status == 200
        : answer.apiError == "400 INVALID_ARGUMENT calendar/timeRangeEmpty: The specified time range is empty.")
  }

  @Test(
    "The other fields of an event",
    arguments: [
      (#""id":"ab_de""#, "invalid", "Invalid resource id value."),
      (#""status":"odd""#, "invalid", "Invalid value for: status"),
      (#""colorId":"12""#, "invalid", "Invalid color identifier."),
      (#""colorId":"0""#, "invalid", "Invalid color identifier."),
      (#""attendees":[{}]"#, "required", "Missing attendee email."),
      (#""attendees":[{"email":"ana"}]"#, "invalid", "Invalid attendee email."),
      (#""attendees":[{"email":"@example.com"}]"#, "invalid", "Invalid attendee email."),
      (#""attendees":[{"email":"ana@"}]"#, "invalid", "Invalid attendee email."),
      (#""attendees":[{"email":"a@b@example.com"}]"#, "invalid", "Invalid attendee email."),
      (#""attachments":[{}]"#, "required", "Missing attachment URL."),
      (#""attachments":[{"fileUrl":"https://example.com/a"},{"fileUrl":""}]"#, "required", "Missing attachment URL."),
      (
        #""reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":1}]}"#, "invalid",
        "Cannot specify both default reminders and overrides at the same time."
      ),
      (#""reminders":{"overrides":[{"minutes":1}]}"#, "required", "Missing reminder method."),
      (#""reminders":{"overrides":[{"method":"popup"}]}"#, "required", "Missing reminder minutes."),
      (#""summary":1"#, "parseError", "Parse Error"), (#""sequence":2147483648"#, "parseError", "Parse Error"),
      (#""attendees":[null]"#, "parseError", "Parse Error"),
    ])
  func fields(member: String, reason: String, message: String) async throws {
    #expect(try await insert("{\(member),\(Self.day)}").apiError == "400 INVALID_ARGUMENT global/\(reason): \(message)")
  }

  @Test(
    "What is close to those errors is stored",
    arguments: [
      #""colorId":"1""#, #""colorId":"11""#, #""attendees":[{"email":"a@b"}]"#, #""attendees":null"#,
      #""reminders":{"useDefault":true,"overrides":[]}"#, #""attachments":[{"fileUrl":"https://example.com/a"}]"#,
      #""reminders":{"useDefault":false,"overrides":[{"method":"email","minutes":1}]}"#, #""recurrence":[]"#,
    ])
  func neighborsOfTheErrors(member: String) async throws {
    #expect(try await insert("{\(member),\(Self.day)}").status == 200)
  }

  @Test(
    "Types of events",
    arguments: [
      (#""focusTimeProperties":{}"#, day, "focusTimeProperties requires the event type focusTime."),
      (#""outOfOfficeProperties":{}"#, day, "outOfOfficeProperties requires the event type outOfOffice."),
      (
        #""workingLocationProperties":{}"#, day,
        "workingLocationProperties requires the event type workingLocation."
      ),
      (#""birthdayProperties":{}"#, day, "birthdayProperties requires the event type birthday."),
      (#""eventType":"fromGmail""#, day, "Events from Gmail cannot be created."),
      (#""eventType":"focusTime""#, day, "An event of the type focusTime must have times."),
      (#""eventType":"outOfOffice""#, day, "An event of the type outOfOffice must have times."),
      (#""eventType":"focusTime","transparency":"transparent""#, timed, "transparency must be opaque."),
      (
        #""eventType":"workingLocation","start":{"date":"2026-01-02"},"end":{"date":"2026-01-04"}"#, #""kind":"x""#,
        "An all-day working location must last one day."
      ),
      (
        #""eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice"},"transparency":"opaque""#,
        timed, "transparency must be transparent."
      ),
      (
        #""eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice"},"visibility":"default""#, day,
        "visibility must be public."
      ),
      (#""eventType":"birthday""#, timed, "A birthday must last one day."),
      (
        #""eventType":"birthday","start":{"date":"2026-01-02"},"end":{"date":"2026-01-04"}"#, #""kind":"x""#,
        "A birthday must last one day."
      ),
      (#""eventType":"birthday","transparency":"opaque""#, day, "transparency must be transparent."),
      (#""eventType":"birthday","visibility":"public""#, day, "visibility must be private."),
      (#""eventType":"birthday""#, day, "A birthday must recur every year."),
      (#""eventType":"birthday","recurrence":["RRULE:FREQ=DAILY"]"#, day, "A birthday must recur every year."),
      (
        #""eventType":"birthday","recurrence":["RRULE:FREQ=YEARLY","RRULE:FREQ=YEARLY"]"#, day,
        "A birthday must recur every year."
      ),
    ])
  func types(members: String, times: String, message: String) async throws {
    #expect(
      try await insert("{\(members),\(times)}").apiError
        == "400 INVALID_ARGUMENT calendar/eventTypeRestriction: \(message)")
  }

  @Test func workingLocationNeedsAType() async throws {
    for properties in ["", #","workingLocationProperties":{}"#] {
      #expect(
        try await insert(#"{"eventType":"workingLocation"\#(properties),\#(Self.day)}"#).apiError
          == "400 INVALID_ARGUMENT global/required: Missing working location properties.")
    }
  }

  @Test func typesBelongIntoAPrimaryCalendar() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let other = try #require(try await harness.call(.post, "calendars", #"{"summary":"O"}"#, token: token)["id"])
    let path = "calendars/\(try #require(FormEncoding.pathSegment(other)))/events"
    let refused = try await harness.call(.post, path, #"{"eventType":"focusTime",\#(Self.timed)}"#, token: token)
    #expect(
      refused.apiError
        == "400 INVALID_ARGUMENT calendar/eventTypeRestriction: Events of the type focusTime must be in a primary calendar."
    )
    #expect(
      try await harness.call(.post, path, #"{"eventType":"default",\#(Self.timed)}"#, token: token).status == 200)
  }

  @Test(
    "A type brings its own defaults",
    arguments: [
      (#""eventType":"focusTime","focusTimeProperties":{}"#, timed, nil, nil, nil),
      (#""eventType":"outOfOffice""#, timed, nil, nil, nil),
      (
        #""eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice"}"#, day, "transparent",
        "public", nil
      ),
      (
        #""eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice"}"#, timed, "transparent",
        "public", nil
      ),
      (
        #""eventType":"birthday","recurrence":["RRULE:FREQ=YEARLY"]"#, day, "transparent", "private", "birthday"
      ),
      (
        #""eventType":"birthday","birthdayProperties":{"type":"anniversary"},"recurrence":["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"],"start":{"date":"2024-02-29"},"end":{"date":"2024-03-01"}"#,
        #""kind":"x""#, "transparent", "private", "anniversary"
      ),
    ] as [(String, String, String?, String?, String?)])
  func defaultsOfTypes(
    members: String, times: String, transparency: String?, visibility: String?, birthday: String?
  ) async throws {
    let made = try await insert("{\(members),\(times)}")
    #expect(made.status == 200 && made["eventType"].map { members.contains($0) } == true)
    #expect(made["transparency"] == transparency && made["visibility"] == visibility)
    #expect(made.value("birthdayProperties", "type") as? String == birthday)
  }
}
