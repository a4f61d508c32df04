// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import CalendarAPI
import Foundation

/// Reading and writing a page of `events.list`, with meetings as in a busy calendar: attendees, reminders and a conference.
enum PageRows {
  static var rows: [Row] {
    let pages = counts.map { (count: $0, page: SamplePage.json($0)) }
    return decoding(pages) + encoding(pages)
  }

  /// The numbers of events.
  ///
  /// The largest is ten pages in one: the cost of an event must not grow with their number.
  private static let counts = [250, 2500] + (Counting.isActive ? [] : [25_000])

  private static func decoding(_ pages: [(count: Int, page: [UInt8])]) -> [Row] {
    pages.map { count, page in
      let data = Data(page)
      return Row(
        "events page", "decode \(count) events", bytes: page.count,
        ours: Contender(
          "EventsPage(json:)", check: { SamplePage.fault(count, (try? EventsPage(json: page))?.items.map(\.summary)) },
          { (try? EventsPage(json: page))?.items.count ?? 0 }),
        baselines: [
          Contender("JSONDecoder", doesLess: "times stay text, unknown fields are lost") {
            (try? JSONDecoder().decode(FullEvents.self, from: data))?.items?.count ?? 0
          },
          Contender(
            "JSONDecoder, this page's fields", doesLess: "25 fields, times stay text"
          ) { (try? JSONDecoder().decode(SamplePage.Decoded.self, from: data))?.items.count ?? 0 },
        ] + (count > 2500 ? [] : partial(data)))
    }
  }

  /// Returns baselines that read only some fields, or no types.
  ///
  /// They take too long for the largest page.
  private static func partial(_ data: Data) -> [Contender] {
    [
      Contender("JSONDecoder, 7 fields", doesLess: "7 of 25 fields") {
        (try? JSONDecoder().decode(SamplePage.Summaries.self, from: data))?.items.count ?? 0
      },
      Contender("JSONSerialization", doesLess: "a tree of dictionaries") {
        ((try? JSONSerialization.jsonObject(with: data)) as? [String: Any])?.count ?? 0
      },
    ]
  }

  /// Returns the rows that write the events that were read.
  private static func encoding(_ pages: [(count: Int, page: [UInt8])]) -> [Row] {
    pages.map { count, page in
      let ours = (try? EventsPage(json: page)) ?? EventsPage()
      let decoded = try? JSONDecoder().decode(SamplePage.Decoded.self, from: Data(page))
      return Row(
        "events page", "encode \(count) events", bytes: ours.json().count,
        ours: Contender(
          "json()", check: { SamplePage.fault(count, (try? EventsPage(json: ours.json()))?.items.map(\.summary)) },
          { ours.json().count }),
        baselines: [
          Contender("JSONEncoder", doesLess: "this page's fields alone, times are text") {
            (try? JSONEncoder().encode(decoded))?.count ?? 0
          }
        ])
    }
  }
}

enum SamplePage {
  /// Returns the first event that is missing or has another title.
  static func fault(_ count: Int, _ titles: [String?]?) -> String? {
    guard let titles, titles.count == count else { return "\(titles?.count ?? 0) events are read, not \(count)" }
    return titles.indices.first { titles[$0] != title($0) }.map { "event \($0) is called \(titles[$0] ?? "nothing")" }
  }

  private static func title(_ index: Int) -> String { "Planificación \(index) \"Q3\" 会議 🎉" }

  /// Returns the page in Google's format, indented by two spaces.
  static func json(_ count: Int) -> [UInt8] {
    var numbers = SeededNumbers(seed: 4)
    let events = (0..<count).map { index in event(index, &numbers) }
    let page: [String: Any] = [
      "kind": "calendar#events", "etag": "\"p33\"", "summary": "Team", "timeZone": "Europe/Madrid",
      "updated": "2026-03-01T10:00:00.000Z", "accessRole": "owner", "nextSyncToken": "CPDAlvWDx70CEPDAlvWDx",
      "defaultReminders": [["method": "popup", "minutes": 10]], "items": events,
    ]
    // All of these are valid JSON objects.
    return [UInt8]((try? JSONSerialization.data(withJSONObject: page, options: [.prettyPrinted])) ?? Data())
  }

  private static func event(_ index: Int, _ numbers: inout SeededNumbers) -> [String: Any] {
    let id = numbers.text(26, of: "abcdefghijklmnopqrstuv0123456789")
    let person = ["email": "ana.garcia@example.com", "displayName": "Ana García"]
    let attendees: [[String: Any]] = (0..<Int.random(in: 2...5, using: &numbers)).map { guest in
      [
        "email": "guest\(guest)@example.com", "displayName": "Invitado \(guest)", "responseStatus": "needsAction",
        "optional": guest == 1,
      ]
    }
    return [
      "kind": "calendar#event", "etag": "\"\(Int.random(in: 1 << 40..<1 << 50, using: &numbers))\"", "id": id,
      "status": "confirmed", "htmlLink": "https://www.google.com/calendar/event?eid=\(id)",
      "created": "2026-02-01T08:15:30.000Z", "updated": "2026-02-28T09:30:00.250Z",
      "summary": title(index), "location": "Sala \(index % 12), planta 3",
      "description": "Repasamos el estado.\nTraed las notas: https://example.com/notes/\(index)",
      "creator": person, "organizer": person,
      "start": ["dateTime": "2026-03-02T09:00:00+01:00", "timeZone": "Europe/Madrid"],
      "end": ["dateTime": "2026-03-02T10:00:00+01:00", "timeZone": "Europe/Madrid"],
      "iCalUID": "\(id)@google.com", "sequence": index % 4, "attendees": attendees,
      "hangoutLink": "https://meet.google.com/abc-defg-hij",
      "conferenceData": [
        "entryPoints": [
          [
            "entryPointType": "video", "uri": "https://meet.google.com/abc-defg-hij",
            "label": "meet.google.com/abc-defg-hij",
          ]
        ],
        "conferenceSolution": ["key": ["type": "hangoutsMeet"], "name": "Google Meet"], "conferenceId": "abc-defg-hij",
      ] as [String: Any],
      "reminders": [
        "useDefault": false, "overrides": [["method": "popup", "minutes": 10], ["method": "email", "minutes": 60]],
      ] as [String: Any],
      "eventType": "default", "colorId": "\(index % 11 + 1)", "guestsCanModify": index % 2 == 0,
    ]
  }

  /// The fields of the page, as a program would declare them for `JSONDecoder`.
  struct Decoded: Codable {
    let kind, etag, summary, timeZone, updated, accessRole, nextSyncToken: String
    let defaultReminders: [Reminder]
    let items: [Event]

    struct Event: Codable {
      let kind, etag, id, status, htmlLink, created, updated, summary, location, description: String
      let creator, organizer: Person
      let start, end: Time
      let iCalUID: String
      let sequence: Int
      let attendees: [Attendee]
      let hangoutLink: String
      let conferenceData: Conference
      let reminders: Reminders
      let eventType, colorId: String
      let guestsCanModify: Bool
    }
    struct Person: Codable { let email, displayName: String }
    struct Time: Codable { let dateTime, timeZone: String }
    struct Attendee: Codable {
      let email, displayName, responseStatus: String
      let optional: Bool
    }
    struct Conference: Codable {
      let entryPoints: [EntryPoint]
      let conferenceSolution: Solution
      let conferenceId: String
    }
    struct EntryPoint: Codable { let entryPointType, uri, label: String }
    struct Solution: Codable {
      let key: Key
      let name: String
    }
    struct Key: Codable { let type: String }
    struct Reminders: Codable {
      let useDefault: Bool
      let overrides: [Reminder]
    }
    struct Reminder: Codable {
      let method: String
      let minutes: Int
    }
  }

  struct Summaries: Codable {
    let items: [Event]

    struct Event: Codable {
      let id, status, summary, updated: String
      let start, end: Decoded.Time
      let colorId: String
    }
  }
}
