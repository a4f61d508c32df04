// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Testing
import Timekeeping

@Suite struct EventWritingTests {
  private static let events = "calendars/primary/events"
  private static let timed =
    #""start":{"dateTime":"2026-01-02T10:00:00+01:00"},"end":{"dateTime":"2026-01-02T11:00:00+01:00"}"#

  @Test func anEventComesChangesAndGoes() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let made = try await harness.call(
      .post, Self.events, #"{"id":"abcde","summary":"A","location":"L","x-unknown":[1,{"a":null}],\#(Self.timed)}"#,
      token: token)
    #expect(made.status == 200 && made["id"] == "abcde" && made["iCalUID"] == "abcde@calendar.example")
    #expect(
      made.value("creator", "self") as? Bool == true
        && made.value("organizer", "email") as? String == "person@example.com")
    #expect(made.value("start", "timeZone") as? String == "Europe/Madrid")
    #expect(made.object["x-unknown"] as? NSArray == [1, ["a": NSNull()]], "What the server does not know is kept.")
    let one = Self.events + "/abcde"
    #expect(try await harness.call(.get, one, token: token).object as NSDictionary == made.object as NSDictionary)

    let patched = try await harness.call(.patch, one, #"{"location":null,"description":"d"}"#, token: token)
    #expect(patched["summary"] == "A" && patched["location"] == nil && patched["description"] == "d")
    #expect(patched["etag"] != made["etag"], "The clock stands still, and the entity tag changes.")
    let replaced = try await harness.call(.put, one, #"{"summary":"B",\#(Self.timed)}"#, token: token)
    #expect(replaced["summary"] == "B" && replaced["description"] == nil && replaced["iCalUID"] == made["iCalUID"])

    #expect(try await harness.call(.delete, one, token: token).status == 204)
    let gone = try await harness.call(.get, one, token: token)
    #expect(gone["status"] == "cancelled" && Set(gone.object.keys) == ["kind", "etag", "id", "status"])
    let again = try await harness.call(.delete, one, token: token)
    #expect(again.status == 410 && again.reason == "deleted")
    let restored = try await harness.call(.patch, one, #"{"status":"confirmed"}"#, token: token)
    #expect(restored.status == 200 && restored["summary"] == "B")
  }

  @Test func aConditionThatIsNotMetChangesNothing() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let made = try await harness.call(.post, Self.events, #"{"id":"abcde",\#(Self.timed)}"#, token: token)
    let etag = try #require(made["etag"])
    let one = Self.events + "/abcde"
    #expect(try await harness.call(.get, one, token: token, fields: ["If-None-Match": etag]).status == 304)
    let first = try await harness.call(.patch, one, #"{"summary":"a"}"#, token: token, fields: ["If-Match": etag])
    #expect(first.status == 200)
    for (method, json) in [(HTTPMethod.patch, #"{"summary":"b"}"#), (.put, "{\(Self.timed)}"), (.delete, nil)] {
      let answer = try await harness.call(method, one, json, token: token, fields: ["If-Match": etag])
      #expect(answer.status == 412 && answer.reason == "conditionNotMet", "\(method)")
    }
    #expect(try await harness.call(.get, one, token: token, fields: ["If-None-Match": etag])["summary"] == "a")
  }

  @Test(
    "What Google refuses",
    arguments: [
      ("{}", "required"), (#"{"start":{"date":"2026-01-02"}}"#, "required"), ("[]", "parseError"),
      (#"{"summary":1,"start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#, "parseError"),
      (#"{"start":{"date":"2026-01-02"},"end":{"date":"2026-01-02"}}"#, "timeRangeEmpty"),
      (#"{"start":{"date":"2026-01-02"},"end":{"dateTime":"2026-01-02T11:00:00Z"}}"#, "invalid"),
      (#"{"start":{"dateTime":"2026-01-02T10:00:00"},"end":{"dateTime":"2026-01-02T11:00:00Z"}}"#, "required"),
      (#"{"start":{"date":"2026-01-02","dateTime":"2026-01-02T10:00:00Z"},"end":{"date":"2026-01-03"}}"#, "invalid"),
      (#"{"id":"ab_de","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#, "invalid"),
      (#"{"status":"odd","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#, "invalid"),
      (#"{"colorId":"99","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#, "invalid"),
      (#"{"attendees":[{}],"start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#, "required"),
      (#"{"recurrence":["RRULE:FREQ=ODD"],"start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#, "invalid"),
      (
        #"{"recurrence":["RRULE:FREQ=DAILY"],"start":{"dateTime":"2026-01-02T10:00:00Z"},"end":{"dateTime":"2026-01-02T11:00:00Z"}}"#,
        "required"
      ),
      (
        #"{"reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":1}]},"start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#,
        "invalid"
      ),
      (#"{"eventType":"birthday","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#, "eventTypeRestriction"),
      (
        #"{"eventType":"workingLocation","start":{"date":"2026-01-02"},"end":{"date":"2026-01-04"}}"#,
        "eventTypeRestriction"
      ),
    ])
  func refusals(json: String, reason: String) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let before = try await harness.call(.get, Self.events + "?maxResults=2500", token: token).ids()
    let answer = try await harness.call(.post, Self.events, json, token: token)
    #expect(answer.status == 400 && answer.reason == reason)
    #expect(try await harness.call(.get, Self.events + "?maxResults=2500", token: token).ids() == before)
  }

  @Test func anIdentifierIsTakenOnce() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let json = #"{"id":"abcde",\#(Self.timed)}"#
    #expect(try await harness.call(.post, Self.events, json, token: token).status == 200)
    let again = try await harness.call(.post, Self.events, json, token: token)
    #expect(again.status == 409 && again.reason == "duplicate")
  }

  @Test func allDayBecomesTimedOnlyIfTheOtherFieldIsCleared() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    _ = try await harness.call(
      .post, Self.events, #"{"id":"abcde","start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#, token: token)
    let one = Self.events + "/abcde"
    #expect(try await harness.call(.patch, one, "{\(Self.timed)}", token: token).status == 400)
    let timed = try await harness.call(
      .patch, one,
      #"{"start":{"date":null,"dateTime":"2026-01-02T10:00:00Z"},"end":{"date":null,"dateTime":"2026-01-02T11:00:00Z"}}"#,
      token: token)
    #expect(timed.value("start", "dateTime") as? String == "2026-01-02T11:00:00+01:00")
    #expect(timed.object["sequence"] as? Int == 1)
    let stale = try await harness.call(.patch, one, #"{"sequence":0,"summary":"x"}"#, token: token)
    #expect(stale.status == 400 && stale.text.contains("Invalid sequence value."))
  }

  @Test func whatAnOlderClientDoesNotKnowIsLeftAlone() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let json =
      #"{"id":"abcde","attachments":[{"fileUrl":"https://example.com/a"}],"conferenceData":{"createRequest":{"requestId":"r"}},\#(Self.timed)}"#
    #expect(try await harness.call(.post, Self.events, json, token: token).object["attachments"] == nil)
    let full = json.replacingOccurrences(of: "abcde", with: "abcdf")
    let made = try await harness.call(
      .post, Self.events + "?supportsAttachments=true&conferenceDataVersion=1", full, token: token)
    #expect((made.object["attachments"] as? [Any])?.count == 1)
    #expect(made.value("conferenceData", "createRequest", "status", "statusCode") as? String == "pending")
    #expect(made["hangoutLink"] == nil)
    _ = try await harness.call(.put, Self.events + "/abcdf", #"{"summary":"x",\#(Self.timed)}"#, token: token)
    let read = try await harness.call(.get, Self.events + "/abcdf", token: token)
    #expect((read.object["attachments"] as? [Any])?.count == 1 && read["hangoutLink"] != nil)
    #expect(read.value("conferenceData", "createRequest", "status", "statusCode") as? String == "success")
  }

  @Test func remindersDoNotCountAsAChangeOfTheEvent() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let made = try await harness.call(.post, Self.events, #"{"id":"abcde",\#(Self.timed)}"#, token: token)
    harness.clock.advance(by: .seconds(60))
    let patched = try await harness.call(
      .patch, Self.events + "/abcde",
      #"{"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":5}]}}"#, token: token)
    #expect(patched["updated"] == made["updated"] && patched["etag"] != made["etag"])
  }

  @Test func anImportIsKnownByItsUID() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let json =
      #"{"iCalUID":"uid-1@elsewhere.example","organizer":{"email":"other@elsewhere.example"},"summary":"A",\#(Self.timed)}"#
    let made = try await harness.call(.post, Self.events + "/import", json, token: token)
    #expect(
      made["id"]?.hasPrefix("_") == true && made.value("organizer", "email") as? String == "other@elsewhere.example")
    let again = try await harness.call(
      .post, Self.events + "/import", json.replacingOccurrences(of: #""A""#, with: #""B""#), token: token)
    #expect(again["id"] == made["id"] && again["summary"] == "B")
    let found = try await harness.call(.get, Self.events + "?iCalUID=uid-1%40elsewhere.example", token: token)
    #expect(found.ids() == [try #require(made["id"])])
    let id = try #require(made["id"])
    let refused = try await harness.call(.patch, Self.events + "/\(id)", #"{"summary":"C"}"#, token: token)
    #expect(refused.status == 403 && refused.reason == "forbiddenForNonOrganizer")
    #expect(try await harness.call(.patch, Self.events + "/\(id)", #"{"colorId":"3"}"#, token: token).status == 200)
  }

  @Test func anEventMovesToAnotherCalendar() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let other = try #require(try await harness.call(.post, "calendars", #"{"summary":"O"}"#, token: token)["id"])
    let target = try #require(FormEncoding.pathSegment(other))
    _ = try await harness.call(.post, Self.events, #"{"id":"abcde","summary":"A",\#(Self.timed)}"#, token: token)
    let moved = try await harness.call(.post, Self.events + "/abcde/move?destination=\(target)", token: token)
    #expect(moved["id"] == "abcde" && moved.value("organizer", "email") as? String == other)
    #expect(try await harness.call(.get, Self.events + "/abcde", token: token)["status"] == "cancelled")
    #expect(try await harness.call(.get, "calendars/\(target)/events/abcde", token: token)["summary"] == "A")
    let missing = try await harness.call(.post, Self.events + "/abcde/move", token: token)
    #expect(missing.status == 400 && missing.reason == "required")
  }

  @Test func clearingLeavesNothingInThePrimaryCalendar() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    #expect(try await harness.call(.post, "calendars/primary/clear", token: token).status == 204)
    #expect(try await harness.call(.get, Self.events, token: token).items.isEmpty)
  }
}
