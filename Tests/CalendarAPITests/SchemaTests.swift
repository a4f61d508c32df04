// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import HexColor
import TestSupport
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
    #expect(event != before && event.gadget?.title == "g")
    event.gadget = nil
    #expect(event == before && event.hashValue == before.hashValue)
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

  // MARK: Misfits

  static let misfits = [
    #""backgroundColor":"reddish""#, #""backgroundColor":7"#, #""backgroundColor":{"r":1}"#, #""foregroundColor":"""#,
    #""colorId":14"#, #""primary":"yes""#, #""accessRole":true"#, #""defaultReminders":{"method":"email"}"#,
    #""defaultReminders":[{"method":"email"},"junk"]"#, #""notificationSettings":[[],{}]"#,
    #""conferenceProperties":"none""#,
  ]

  @Test(arguments: misfits) func aMisfitIsKeptBesideItsNeighbours(_ field: String) throws {
    let json = #"{"items":[{"id":"a",\#(field),"summary":"Team"},{"id":"b"}]}"#
    let page = try CalendarListPage(json: Array(json.utf8))
    #expect(page.items.map(\.id) == ["a", "b"])
    #expect(page.items.first?.summary == "Team" && page.items.first?.additionalFields.count == 1)
    #expect(try fields(of: page.json()) == fields(of: json))
  }

  static let eventMisfits = [
    #""updated":"yesterday""#, #""created":1700000000"#, #""created":"2026-02-30T00:00:00Z""#, #""sequence":1.5"#,
    #""sequence":99999999999999999999"#, #""start":"2026-03-01""#, #""attendees":"everybody""#,
    #""extendedProperties":{"private":{"k":1}}"#, #""end":{"date":"2008-09-24T11:00:00-07:00"}"#,
    #""start":{"dateTime":"2026-03-01T09:30:00"}"#, #""recurrence":"RRULE:FREQ=DAILY""#,
    // Shapes that servers have sent.
    #""start":{"dateTimes":"2008-09-24T10:30:00-07:00"}"#, #""end":{"date":":::TOMORROW:::"}"#,
    #""created":"1900-01-01T12:00:00Z","updated":"1899-12-31T23:59:59.999Z""#, #""colorId":"99","location":"""#,
    #""attendees":[{"self":true,"responseStatus":"declined"},{}]"#, #""iCalUID":"schedule-1-final@example.com""#,
    #""start":{},"reminders":{},"extendedProperties":{"shared":{}},"attendees":[]"#,
  ]

  @Test(arguments: eventMisfits) func aMisfitOfAnEventIsKept(_ field: String) throws {
    let json = #"{"id":"a",\#(field),"summary":"Lunch"}"#
    let event = try Event(json: Array(json.utf8))
    #expect(event.id == "a" && event.summary == "Lunch")
    #expect(try fields(of: event.json()) == fields(of: json))
  }

  @Test(
    "Of two fields of one name the last counts",
    arguments: [
      (#""updated":"yesterday","updated":"2026-01-01T00:00:00Z""#, #""updated":"2026-01-01T00:00:00Z""#),
      (#""updated":"2026-01-01T00:00:00Z","updated":"yesterday""#, #""updated":"yesterday""#),
      (#""sequence":"one","upd\u0061ted":1,"updated":null,"sequence":2"#, #""sequence":2"#),
    ])
  func lastOfOneName(_ repeated: String, _ last: String) throws {
    let event = try Event(json: Array(#"{"id":"a",\#(repeated)}"#.utf8))
    #expect(try fields(of: event.json()) == fields(of: #"{"id":"a",\#(last)}"#))
  }

  @Test func nullIsTheSameAsMissing() throws {
    let event = try Event(json: Array(#"{"id":"a","summary":null,"start":null,"attendees":null,"future":null}"#.utf8))
    #expect(event.summary == nil)
    #expect(event.additionalFields == ["future": .null])
  }

  @Test func anotherSpellingOfTheSameValueIsRead() throws {
    let json = ##"{"backgroundColor":"#9FE1E7","summary":"\u00d1\ud83c\udf4b\/","\u0069d":"a"}"##
    let entry = try CalendarListEntry(json: Array(json.utf8))
    #expect(entry.backgroundColor == RGBColor(red: 0x9F, green: 0xE1, blue: 0xE7))
    #expect(entry.summary == "Ñ🍋/")
    #expect(entry.id == "a")
  }

  // MARK: JSON

  /// The places of the text: a field without a property, fields of text, times, objects and lists, a map of texts, and an element of a list.
  private static let places = [
    #"{"unknown":TEXT}"#, #"{"summary":TEXT}"#, #"{"updated":TEXT}"#, #"{"start":TEXT}"#, #"{"sequence":TEXT}"#,
    #"{"attendees":TEXT}"#, #"{"attendees":[{"email":"a@example.com","unknown":TEXT}]}"#,
    #"{"extendedProperties":TEXT}"#, #"{"extendedProperties":{"private":TEXT}}"#,
    #"{"extendedProperties":{"shared":{"key":TEXT}}}"#,
    #"{"reminders":{"overrides":[{"method":"popup","minutes":TEXT}]}}"#,
  ]

  @Test(arguments: places) func aCaseIsAValueOrNot(_ place: String) throws {
    let parts = place.split(separator: "TEXT", omittingEmptySubsequences: false)
    var counts = (accepted: 0, refused: 0)
    // A byte order mark is ignored only at the beginning of a text.
    for test in try JSONTestSuite.cases() where test.name != "structure_UTF-8_BOM_empty_object" {
      let text = Array(parts[0].utf8) + test.text + Array(parts[1].utf8)
      let isAccepted = (try? JSONValue(json: test.text)) != nil
      let value = try? JSONValue(json: text)
      #expect((value != nil) == isAccepted, "\(test.kind)_\(test.name), the reader of any value")
      let event = try? Event(json: text)
      #expect((event != nil) == isAccepted, "\(test.kind)_\(test.name), the reader of schemas")
      if isAccepted { counts.accepted += 1 } else { counts.refused += 1 }
      // A value that does not fit its property is kept, and written unchanged.
      if let event, let value, place.hasPrefix(#"{"unknown""#) {
        #expect(event.additionalFields["unknown"] == value["unknown"], "\(test.name)")
        #expect(try JSONValue(json: event.json()) == value, "\(test.name)")
      }
      if let event { #expect(try Event(json: event.json()) == event, "\(test.name)") }
    }
    #expect(counts.accepted + counts.refused == 317 && counts.accepted >= 95 && counts.refused >= 188)
  }

  @Test(arguments: [
    ("", "empty body"), ("<!DOCTYPE html><p>Hotel Wi-Fi", "web page"), ("[]", "an object was expected"),
    ("null", "an object was expected"),
    (#"{"items":[{"id":"secr"#, "ends too early"), (#"{"items":[{"id":tru}]}"#, "byte 19, in items[0].id)"),
    (#"{"items":{}}"#, "an array was expected (byte 9, in items)"),
    (#"{"items":[{},7]}"#, "an object was expected (byte 13, in items[1])"),
    (#"{"nextPageToken":7}"#, "a string was expected (byte 17, in nextPageToken)"),
    (#"{"nextSyncToken":[1]}"#, "in nextSyncToken"), (#"{"items":[{},]}"#, "items[1]"), ("{} {}", "more content"),
    (#"{"x":01}"#, "comma"), (#"{"x":"# + String(repeating: #"{"y":"#, count: 100_000), "levels"),
  ]) func endsWithATypedErrorThatSaysWhere(_ body: String, _ problem: String) async throws {
    let client = CalendarClient(transport: StubTransport(HTTPResponse(status: 200, body: Array(body.utf8))))
    let error = try await #require(throws: CalendarError.self) { try await client.calendarList.list() }
    #expect(error.code == .malformedResponse && error.status == 200 && !error.isRetryable)
    #expect(error.message.contains(problem))
    #expect(!"\(error)".contains("secr"))
  }
}
