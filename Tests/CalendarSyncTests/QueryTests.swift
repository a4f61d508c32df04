// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync
import Foundation
import Testing
import Timekeeping

/// Events that are found in the copy.
struct QueryTests {
  private let store = InMemoryCalendarStore()

  private func fill(_ events: [Event], in calendarID: String = "a") async throws {
    try await store.apply(
      SyncTransaction(
        account: "me", collection: .events(calendarID: calendarID), expected: nil, state: SyncState(query: ""),
        steps: events.map { .put(.event($0)) }))
  }

  private static func event(_ id: String, _ summary: String, day: Int) -> Event {
    Event {
      $0.id = id
      $0.summary = summary
      $0.start = EventDateTime(date: CivilDate(daysSince1970: day))
    }
  }

  @Test func resultsAreReadInPortionsFromAnyPosition() async throws {
    let events = (0..<1_203).map { Self.event("event\($0)", "Budget \($0)", day: $0 * 7 % 100) }
    try await fill(events)
    let all = try await store.events(matching: EventQuery(text: "budget"), for: "me").all()
    #expect(all.count == 1_203)
    #expect(try await store.events(in: "a", for: "me").all().count == 1_203)
    #expect(all.map(\.cursor) == all.map(\.cursor).sorted())
    for index in [0, 499, 500, 1_000, 1_202] {
      let rest = try await store.events(matching: EventQuery(text: "budget"), for: "me", after: all[index].cursor).all()
      #expect(rest == Array(all[(index + 1)...]))
    }
  }

  @Test func positionKeepsItsMeaningAsJSON() throws {
    for id in ["", "a", "é\u{0}\u{1F600}"] {
      let cursor = EventCursor(start: .min, calendarID: id, id: id)
      let copy = try JSONDecoder().decode(EventCursor.self, from: JSONEncoder().encode(cursor))
      #expect(copy == cursor)
    }
  }

  @Test(arguments: [
    ("Crème brûlée", ["creme", "brulee"]), ("ÉCOLE École e\u{301}cole", ["ecole", "ecole", "ecole"]),
    ("Łódź ß ø ñ", ["łodz", "ß", "ø", "n"]), ("Πρωΐ ΟΔΟΣ", ["πρωι", "οδοσ"]), ("Ёлка йод", ["ёлка", "йод"]),
    ("a1 2b ½ x²", ["a1", "2b", "½", "x²"]), ("会議room 3階", ["会", "議", "room", "3", "階"]),
    ("한국어 회의", ["한국어", "회의"]), ("สวัสดี", ["ส", "วั", "ส", "ดี"]), ("👍🏽 ok—go/no_go", ["ok", "go", "no", "go"]),
    ("İstanbul", ["istanbul"]), ("ASCII-only: A1_b", ["ascii", "only", "a1", "b"]), ("", []), ("  ", []),
  ])
  func wordsHaveNoCaseAndNoAccents(_ text: String, _ words: [String]) {
    #expect(EventIndex(Event { $0.summary = text }).words == words)
    #expect(EventQuery(text: text).terms.joined().elementsEqual(words))
  }

  @Test func wordsOfFieldsAreSeparate() {
    let index = EventIndex(
      Event {
        $0.summary = "one"
        $0.location = "two"
      })
    #expect(index.words == ["one", "…", "two"])
    #expect(index.contains(["one"]) && index.contains(["tw"]) && !index.contains(["one", "two"]))
    #expect(!EventQuery(text: "…").terms.joined().contains("…"))
  }

  @Test func longTextIsLimited() {
    func words(_ text: String) -> [String] { EventIndex(Event { $0.description = text }).words }
    for letter in ["w", "é", "会"] {
      #expect(words(String(repeating: "\(letter) ", count: 20_000)).count == 10_000)
      let sizes = words(String(repeating: String(repeating: letter, count: 500) + " ", count: 2_000)).map(\.utf8.count)
      #expect(sizes.reduce(0, +) <= 200_200 && sizes.allSatisfy { $0 <= 200 })
      let long = String(repeating: letter, count: 500)
      #expect(EventIndex(Event { $0.summary = long }).contains(EventQuery(text: long).terms.flatMap(\.self)))
    }
  }

  @Test func extremeTimesAreCompared() async throws {
    let times = [Timestamp(secondsSince1970: .max), Timestamp(secondsSince1970: .min), .unixEpoch]
    try await fill(
      times.enumerated().map { number, time in
        Event {
          $0.id = "\(number)"
          $0.updated = time
        }
      })
    for (time, expected) in zip(times, [["0"], ["0", "1", "2"], ["0", "2"]]) {
      let found = try await store.events(matching: EventQuery(updatedSince: time), for: "me").all()
      #expect(found.compactMap(\.event.id) == expected)
    }
  }

  @Test func descriptionsShowNoContent() {
    let query = EventQuery(text: "secret", attendee: "secret", calendarIDs: ["secret"], updatedSince: .unixEpoch)
    let event = Event {
      $0.id = "secret"
      $0.summary = "secret"
    }
    let found = StoredEvent(event, in: "secret", start: 1)
    for value in [query, found, found.cursor, EventIndex(event)] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] { #expect(!text.contains("secret")) }
    }
  }
}
