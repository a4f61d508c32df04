// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HexColor
import Testing
import Timekeeping

/// One bad value must not cost the entry, and one bad entry must not cost the page.
struct MisfitTests {
  static let misfits = [
    #""backgroundColor":"reddish""#, #""backgroundColor":7"#, #""backgroundColor":{"r":1}"#, #""foregroundColor":"""#,
    #""colorId":14"#, #""primary":"yes""#, #""accessRole":true"#, #""defaultReminders":{"method":"email"}"#,
    #""defaultReminders":[{"method":"email"},"junk"]"#, #""notificationSettings":[[],{}]"#,
    #""conferenceProperties":"none""#,
  ]

  @Test(arguments: misfits) func aMisfitIsKeptBesideItsNeighbours(_ field: String) throws {
    let json = #"{"id":"a",\#(field),"summary":"Team"}"#
    let entry = try CalendarListEntry(json: Array(json.utf8))
    #expect(entry.id == "a")
    #expect(entry.summary == "Team")
    #expect(entry.additionalFields.count == 1)
    #expect(try fields(of: entry.json()) == fields(of: json))
  }

  static let eventMisfits = [
    #""updated":"yesterday""#, #""created":1700000000"#, #""created":"2026-02-30T00:00:00Z""#, #""sequence":1.5"#,
    #""sequence":99999999999999999999"#, #""start":"2026-03-01""#, #""attendees":"everybody""#,
    #""extendedProperties":{"private":{"k":1}}"#, #""end":{"date":"2008-09-24T11:00:00-07:00"}"#,
    #""start":{"dateTime":"2026-03-01T09:30:00"}"#, #""recurrence":"RRULE:FREQ=DAILY""#,
  ]

  @Test(arguments: eventMisfits) func aMisfitOfAnEventIsKept(_ field: String) throws {
    let json = #"{"items":[{"id":"a",\#(field),"summary":"Lunch"},{"id":"b"}]}"#
    let page = try EventsPage(json: Array(json.utf8))
    #expect(page.items.map(\.id) == ["a", "b"])
    #expect(page.items.first?.summary == "Lunch")
    #expect(try fields(of: page.json()) == fields(of: json))
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

  @Test func aSequenceWrittenAsAWholeFractionIsRead() throws {
    #expect(try Event(json: Array(#"{"sequence":3.0}"#.utf8)).sequence == 3)
  }

  @Test func aTimeKeepsItsOffset() throws {
    let time = try EventDateTime(json: Array(#"{"dateTime":"2026-03-01T09:30:00+05:30"}"#.utf8)).dateTime
    #expect(time?.offsetSeconds == 19_800)
    #expect(time?.timestamp == Timestamp(secondsSince1970: 1_772_337_600))
  }
}
