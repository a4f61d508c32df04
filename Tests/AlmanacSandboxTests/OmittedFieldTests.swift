// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

/// Google leaves out what has its default value.
@Suite struct OmittedFieldTests {
  @Test func defaultsAndEmptyValuesAreOmitted() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let body = #"""
      {"id":"omitted","summary":"S","description":"","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"},
       "attendees":[],"recurrence":[],"visibility":"default","transparency":"opaque","guestsCanModify":false,
       "guestsCanInviteOthers":true,"guestsCanSeeOtherGuests":true,"anyoneCanAddSelf":false,
       "extendedProperties":{"private":{}},"reminders":{"useDefault":false,"overrides":[]}}
      """#
    let inserted = try await harness.call(.post, "calendars/primary/events", body, token: token)
    #expect(
      Set(inserted.object.keys) == [
        "kind", "etag", "id", "status", "htmlLink", "created", "updated", "summary", "creator", "organizer", "start",
        "end", "iCalUID", "sequence", "reminders", "eventType",
      ])
    #expect(
      inserted.value("reminders", "useDefault") as? Bool == false && inserted.value("reminders", "overrides") == nil)
    let change = #"""
      {"visibility":"public","transparency":"transparent","guestsCanInviteOthers":false,"guestsCanModify":true,
       "attendees":[{"email":"ana@example.com","optional":false,"additionalGuests":0}]}
      """#
    let changed = try await harness.call(.patch, "calendars/primary/events/omitted", change, token: token)
    #expect(changed["visibility"] == "public" && changed["transparency"] == "transparent")
    #expect(
      changed.object["guestsCanInviteOthers"] as? Bool == false && changed.object["guestsCanModify"] as? Bool == true)
    let attendee = try #require((changed.object["attendees"] as? [[String: Any]])?.first)
    #expect(Set(attendee.keys) == ["email", "responseStatus"])
  }

  @Test func noResourceOfTheSamplesHasADefaultValue() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let calendars = try await harness.call(.get, "users/me/calendarList", token: token)
    #expect(!calendars.text.contains("writerWithoutPrivateAccess"), "Older clients do not know the role.")
    for id in calendars.ids() {
      let path = try #require(id.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let events = try await harness.call(.get, "calendars/\(path)/events", token: token).items
      for event in events {
        #expect(event["visibility"] as? String != "default" && event["transparency"] as? String != "opaque")
        #expect((event["attendees"] as? [Any])?.isEmpty != true)
      }
    }
  }
}
