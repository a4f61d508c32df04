// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HexColor
import Testing

/// The rules of all schemas; ``CoverageTests`` tests every field of each.
struct SchemaTests {
  /// An event with unknown fields and values at every depth.
  static let event = #"""
    {"attendees":[{"email":"bo@example.org","responseStatus":"perhaps","self":false,"x":0}],
    "conferenceData":{"conferenceSolution":{"key":{"type":"carrierPigeon","x":0},"x":0},"entryPoints":[{"pin":"5","x":0}],"x":0},
    "creator":{"email":"ana@example.org","self":true,"x":{"y":[1.50,null]}},
    "end":{"dateTime":"2026-03-01T09:30:00.250+01:00","timeZone":"Europe/Madrid","x":0},"etag":"\"123\"",
    "eventType":"meteorShower","extendedProperties":{"private":{"k":"v"},"shared":{},"x":0},"gadget":{"display":"x","x":0},
    "id":"base_20260301T083000Z","originalStartTime":{"date":"2026-03-01","x":0},
    "reminders":{"overrides":[{"method":"pigeon","minutes":40320,"x":"kept"}],"useDefault":false,"x":0},"sequence":3,
    "workingLocationProperties":{"customLocation":{"label":"Café","x":0},"homeOffice":{},"type":"homeOffice","x":0},
    "future":{"deep":[true,{"n":-1e-7}]},"big":123456789012345678901234567890}
    """#

  @Test func whatIsUnknownSurvivesAtEveryDepth() throws {
    let value = try Event(json: Array(Self.event.utf8))
    #expect(value.eventType == "meteorShower")
    #expect(value.attendees?.first?.responseStatus == "perhaps")
    #expect(value.conferenceData?.conferenceSolution?.key?.type == "carrierPigeon")
    #expect(value.additionalFields.keys.sorted() == ["big", "future"])
    #expect(try fields(of: value.json()) == fields(of: Self.event))
  }

  @Test func anEmptyObjectHasNoField() throws {
    let event = try Event(json: Array("{}".utf8))
    #expect(event == Event())
    #expect(event.json() == Array("{}".utf8))
    #expect(try EventsPage(json: Array("{}".utf8)).items.isEmpty)
  }

  @Test func aRareFieldThatIsClearedLeavesTheSameEvent() {
    var event = Event { $0.summary = "a" }
    let before = event
    event.gadget = .init { $0.title = "g" }
    #expect(event != before)
    #expect(event.gadget?.title == "g")
    event.gadget = nil
    #expect(event == before)
    #expect(event.hashValue == before.hashValue)
  }

  @Test func aCopyDoesNotShareRareFields() {
    let event = Event { $0.source = .init { $0.title = "a" } }
    var copy = event
    copy.source?.title = "b"
    #expect(event.source?.title == "a")
    #expect(copy.source?.title == "b")
  }

  @Test func unknownValuesOfAnEnumerationAreKept() throws {
    let entry = try CalendarListEntry(json: Array(#"{"accessRole":"overlord"}"#.utf8))
    #expect(entry.accessRole == "overlord")
    #expect(String(decoding: entry.json(), as: UTF8.self) == #"{"accessRole":"overlord"}"#)
  }

  @Test(arguments: [
    #"{"kind":"calendar#event","etag":"\"1\"","id":"a","status":"cancelled"}"#,
    #"{"id":"base_R20250327T123000","status":"cancelled","originalStartTime":{"date":"2026-03-01"},"recurringEventId":"base"}"#,
  ]) func aDeletedEventHasLittleMore(_ json: String) throws {
    let event = try Event(json: Array(json.utf8))
    #expect(event.status == .cancelled)
    #expect(event.start == nil)
    #expect(event.period == nil)
    #expect(try fields(of: event.json()) == fields(of: json))
  }

  @Test func freeBusyInformationMayBeMissing() throws {
    let json = #"{"calendars":{"a@b":{"errors":[{"domain":"global","reason":"notFound"}]},"c@d":{"busy":[{}]}}}"#
    let response = try FreeBusyResponse(json: Array(json.utf8))
    #expect(response.calendars?["a@b"]?.errors?.first?.reason == .notFound)
    #expect(response.calendars?["c@d"]?.busy == [TimePeriod()])
    #expect(try fields(of: response.json()) == fields(of: json))
  }

  @Test(arguments: [#""1426325213000""#, "1426325213000"])
  func anExpirationIsReadAsStringAndAsNumber(_ value: String) throws {
    let channel = try WatchChannel(json: Array(#"{"expiration":\#(value)}"#.utf8))
    #expect(channel.expiration == 1_426_325_213_000)
    #expect(String(decoding: channel.json(), as: UTF8.self) == #"{"expiration":"1426325213000"}"#)
  }

  @Test func aPropertyWinsOverAnAdditionalFieldOfTheSameName() throws {
    var entry = try CalendarListEntry(json: Array(#"{"backgroundColor":"reddish"}"#.utf8))
    entry.backgroundColor = .black
    #expect(String(decoding: entry.json(), as: UTF8.self) == ##"{"backgroundColor":"#000000"}"##)
  }

  @Test func ofARepeatedNameTheLastCounts() throws {
    let event = try Event(json: Array(#"{"id":"a","sequence":1,"id":"b","sequence":"x"}"#.utf8))
    #expect(event.id == "b")
    #expect(event.sequence == nil)
    #expect(event.additionalFields == ["sequence": "x"])
  }

  @Test func namesThatAreAlmostAFieldsAreUnknown() throws {
    // The same length and the same first seven characters; the same with an escape; a part; more; other case.
    let names = ["descripTion", "guestsCanSeeOtherGuestZ", "summari", "summar", "summary2", "Summary", "id\\u0000"]
    for name in names {
      let event = try Event(json: Array(#"{"\#(name)":"x"}"#.utf8))
      #expect(event.additionalFields.count == 1, "\(name)")
      #expect(event.summary == nil && event.description == nil && event.id == nil)
    }
    let escaped = try Event(json: Array(#"{"\u0064escription":"a","gu\u0065stsCanSeeOtherGuests":true}"#.utf8))
    #expect(escaped.description == "a")
    #expect(escaped.guestsCanSeeOtherGuests == true)
    #expect(escaped.additionalFields.isEmpty)
  }

  @Test func descriptionsNameFieldsAndShowNoValue() throws {
    let list = CalendarListPage {
      $0.nextSyncToken = "ana@example.org-secret"
      $0.additionalFields["future"] = ["secret": "secret"]
    }
    var dumped = ""
    dump(list, to: &dumped)
    for text in ["\(list)", String(reflecting: list), dumped, "\(Optional(list) as Any)"] {
      #expect(text.contains("nextSyncToken, future"))
      #expect(!text.contains("secret"))
    }
  }
}
