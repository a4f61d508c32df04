// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Testing
import Timekeeping

struct PatchTests {
  private static func text(_ patch: some CalendarPatch) -> String { String(decoding: patch.json(), as: UTF8.self) }

  private static let day = CivilDate(daysSince1970: 20_513)
  private static let noon = OffsetDateTime(Timestamp(secondsSince1970: 1_772_362_800), offsetSeconds: 3600)

  @Test func leavesSetsAndClears() {
    let patch = Event.Patch {
      $0.summary = .set("Lunch")
      $0.location = .clear
      $0.description = .set("x")
      $0.description = .leave
      $0.attendees = .set([EventAttendee(email: "a@b")])
    }
    #expect(Self.text(patch) == #"{"attendees":[{"email":"a@b"}],"location":null,"summary":"Lunch"}"#)
    #expect(patch.summary == .set("Lunch"))
    #expect(patch.location == .clear)
    #expect(patch.description == .leave)
  }

  @Test func anEmptyPatchLeavesEverything() {
    #expect(Event.Patch().isEmpty)
    #expect(Event.Patch.leave.isEmpty)
    #expect(Event.Patch { $0.reminders = .leave }.isEmpty)
    #expect(Self.text(Event.Patch()) == "{}")
  }

  /// A misfit of a property is in `additionalFields` until the property is set, and the property wins.
  @Test func patchIsTheDifferenceOfWhatIsWritten() throws {
    let texts = [
      "{}", #"{"summary":"a","sequence":1,"attendees":[{"email":"a@b","x":1}]}"#,
      #"{"summary":1,"sequence":"x","future":[1],"extendedProperties":{"private":{"a":"1","b":"2"},"shared":{}}}"#,
      #"{"summary":"b","future":[2],"extendedProperties":{"private":{"b":"3"}},"start":{"date":"2026-03-01"}}"#,
      #"{"start":{"dateTime":"2026-03-01T10:00:00+01:00"},"reminders":{"useDefault":false,"overrides":[]}}"#,
      #"{"start":{"dateTime":"2026-03-01T09:00:00Z"},"reminders":{"useDefault":true}}"#,
    ]
    var events = try texts.map { try Event(json: Array($0.utf8)) }
    events[2].summary = "a"
    events.append(try Event(json: Array(texts[2].utf8)))
    for old in events {
      for new in events {
        let written = try JSONValue(json: new.json()).mergePatch(from: JSONValue(json: old.json()))
        #expect(Event.Patch(from: old, to: new).changes == written)
      }
    }
  }

  @Test func objectsAndMapsAreMerged() {
    let patch = Event.Patch {
      $0.reminders.useDefault = .set(false)
      $0.extendedProperties.private["ticket"] = .set("1")
      $0.extendedProperties.private["old"] = .clear
      $0.extendedProperties.shared = .clear
      $0.source = .clear
    }
    #expect(
      Self.text(patch)
        == #"{"extendedProperties":{"private":{"old":null,"ticket":"1"},"shared":null},"reminders":{"useDefault":false},"source":null}"#
    )
    #expect(patch.extendedProperties.private["old"] == .clear)
    #expect(patch.extendedProperties.private["other"] == .leave)
  }

  @Test func allDayAndTimedClearEachOther() throws {
    let timed = try Event.Patch {
      $0.start = .set(EventDateTime(dateTime: try #require(Self.noon), timeZone: "Europe/Madrid"))
    }
    #expect(
      Self.text(timed)
        == #"{"start":{"date":null,"dateTime":"2026-03-01T12:00:00+01:00","timeZone":"Europe/Madrid"}}"#)
    var allDay = Event.Patch()
    allDay.setPeriod(.allDay(Self.day..<Self.day.adding(days: 1)))
    #expect(
      Self.text(allDay)
        == #"{"end":{"date":"2026-03-02","dateTime":null,"timeZone":null},"start":{"date":"2026-03-01","dateTime":null,"timeZone":null}}"#
    )
  }

  @Test func aDifferenceHasWhatChangedAndNothingElse() throws {
    let old = try Event(
      json: Array(
        #"""
        {"id":"a","etag":"1","updated":"2026-01-01T00:00:00Z","summary":"Old","location":"Here","colorId":"1",
        "start":{"date":"2026-03-01"},"attendees":[{"email":"a@b"},{"email":"c@d"}],
        "extendedProperties":{"private":{"k":"v","l":"w"}},"future":{"a":1,"b":2}}
        """#.utf8))
    var new = old
    new.etag = "2"
    new.updated = nil
    new.summary = "New"
    new.location = nil
    new.start = Self.noon.map { EventDateTime(dateTime: $0) }
    new.removeAttendee(email: "A@B")
    new.extendedProperties?.private = ["k": "v2"]
    new.additionalFields["future"] = ["a": 1, "b": 3]
    #expect(
      Self.text(Event.Patch(from: old, to: new))
        == #"{"attendees":[{"email":"c@d"}],"extendedProperties":{"private":{"k":"v2","l":null}},"future":{"b":3},"location":null,"start":{"date":null,"dateTime":"2026-03-01T12:00:00+01:00"},"summary":"New"}"#
    )
    #expect(Event.Patch(from: old, to: old).isEmpty)
  }
}
