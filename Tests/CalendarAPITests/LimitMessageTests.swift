// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import HexColor
import Testing
import Timekeeping

/// The messages for requests that break a limit; the limit itself is allowed.
struct LimitMessageTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let message: String
    let refused: @Sendable (CalendarClient) async throws -> Void
    let allowed: @Sendable (CalendarClient) async throws -> Void
    var testDescription: String { message }

    init(
      _ message: String, refused: @escaping @Sendable (CalendarClient) async throws -> Void,
      allowed: @escaping @Sendable (CalendarClient) async throws -> Void
    ) {
      self.message = message
      self.refused = refused
      self.allowed = allowed
    }

    /// New events that differ in a value.
    init<Value: Sendable>(
      _ message: String, _ refused: Value, _ allowed: Value,
      _ configure: @escaping @Sendable (inout Event, Value) -> Void
    ) {
      self.init(message) { client in
        try await client.events.insert(Event { configure(&$0, refused) }, in: "c")
      } allowed: { client in
        try await client.events.insert(Event { configure(&$0, allowed) }, in: "c")
      }
    }
  }

  private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

  /// Properties whose names and values have so many bytes together.
  private static func properties(ofSize size: Int) -> [String: String] {
    var properties: [String: String] = [:]
    for number in 10..<42 { properties["name\(number)"] = text(1017) }
    // 32 names of six bytes and values of 1,017.
    properties["n"] = text(size - 32 * 1023 - 1)
    return properties
  }

  static let rows = [
    Row("quotaUser has more than 40 characters.") { client in
      var request = ColorsResource.get()
      request.quotaUser = text(41)
      _ = try await client.send(request)
    } allowed: { client in
      var request = ColorsResource.get()
      request.quotaUser = text(40)
      _ = try await client.send(request)
    },
    Row("Reminders are ignored unless useDefault is false.", true, false) { event, useDefault in
      event.reminders = .init {
        $0.useDefault = useDefault
        $0.overrides = [EventReminder(.popup, minutes: 1)]
      }
    },
    Row("The identifier of a new event must have 5 to 1,024 characters from a to v and 0 to 9.", "abcd", "abcde") {
      $0.id = $1
    },
    Row(
      "The identifier of a new event must have 5 to 1,024 characters from a to v and 0 to 9.",
      String(repeating: "a", count: 1025), String(repeating: "a", count: 1024)
    ) { $0.id = $1 },
    Row("The identifier of a new event must have 5 to 1,024 characters from a to v and 0 to 9.", "avw09", "avv09") {
      $0.id = $1
    },
    Row("The identifier of a new event must have 5 to 1,024 characters from a to v and 0 to 9.", "aa`aa", "aa0aa") {
      $0.id = $1
    },
    Row("The identifier of a new event must have 5 to 1,024 characters from a to v and 0 to 9.", "aa/aa", "aa9aa") {
      $0.id = $1
    },
    Row("The identifier of a new event must have 5 to 1,024 characters from a to v and 0 to 9.", "aa:aa", "aaaaa") {
      $0.id = $1
    },
    Row("A recurring event needs the time zone of its start.", String?.none, "Europe/Zurich") { event, zone in
      event.recurrence = ["RRULE:FREQ=DAILY"]
      event.start = EventDateTime(dateTime: OffsetDateTime(.unixEpoch), timeZone: zone)
    },
    Row("The name of an extended property has at most 44 characters.", 45, 44) { event, count in
      event.extendedProperties = .init { $0.shared = [text(count): "v"] }
    },
    Row("The value of an extended property has at most 1,024 characters.", 1025, 1024) { event, count in
      event.extendedProperties = .init { $0.private = ["k": text(count)] }
    },
    Row("An event has at most 300 extended properties, not 301.", 151, 150) { event, count in
      event.extendedProperties = .init {
        $0.private = Dictionary(uniqueKeysWithValues: (0..<150).map { ("\($0)", "") })
        $0.shared = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", "") })
      }
    },
    Row("The extended properties of an event have at most 32 kB.", 32_769, 32_768) { event, size in
      event.extendedProperties = .init { $0.private = properties(ofSize: size) }
    },
    Row("reminders.overrides has at most 5 elements, not 6.", 6, 5) { event, count in
      event.reminders = .init {
        $0.useDefault = false
        $0.overrides = (0..<count).map { EventReminder(.popup, minutes: $0) }
      }
    },
    Row("reminders.overrides.minutes is at most 40320, not 40321.", 40_321, 40_320) { event, minutes in
      event.reminders = .init { $0.overrides = [EventReminder(.popup, minutes: minutes)] }
    },
    Row("reminders.overrides.minutes is at least 0, not -1.", -1, 0) { event, minutes in
      event.reminders = .init { $0.overrides = [EventReminder(.popup, minutes: minutes)] }
    },
    Row("conferenceData is ignored without conferenceDataVersion 1.") { client in
      try await client.events.insert(
        Event { $0.conferenceData = ConferenceData() }, in: "c", .init(conferenceDataVersion: 0))
    } allowed: { client in
      try await client.events.insert(
        Event { $0.conferenceData = ConferenceData() }, in: "c", .init(conferenceDataVersion: 1))
    },
    Row("conferenceData is ignored without conferenceDataVersion 1.") { client in
      let event = Event { $0.conferenceData = ConferenceData { $0.createRequest = CreateConferenceRequest() } }
      try await client.events.update(event, for: "e", in: "c")
    } allowed: { client in
      let event = Event { $0.conferenceData = ConferenceData { $0.notes = "" } }
      try await client.events.update(event, for: "e", in: "c")
    },
    Row("attachments are ignored without supportsAttachments.") { client in
      try await client.events.insert(Event { $0.attachments = [] }, in: "c", .init(supportsAttachments: false))
    } allowed: { client in
      try await client.events.insert(Event { $0.attachments = [] }, in: "c", .init(supportsAttachments: true))
    },
    Row("eventLabelId is ignored without eventLabelVersion 1.") { client in
      try await client.events.insert(Event { $0.eventLabelID = "l" }, in: "c", .init(eventLabelVersion: 0))
    } allowed: { client in
      try await client.events.insert(Event { $0.eventLabelID = "l" }, in: "c", .init(eventLabelVersion: 1))
    },
    Row("colorId is ignored with eventLabelVersion 1: leave one of them out, or set eventLabelId instead.") { client in
      try await client.events.insert(Event { $0.colorID = "1" }, in: "c", .init(eventLabelVersion: 1))
    } allowed: { client in
      try await client.events.insert(Event { $0.colorID = "1" }, in: "c", .init(eventLabelVersion: 0))
    },
    Row("backgroundColor is ignored without colorRgbFormat: set it to true, or set colorId instead.") { client in
      try await client.calendarList.insert(
        CalendarListEntry {
          $0.backgroundColor = .white
          $0.colorID = "1"
        }, colorRgbFormat: false)
    } allowed: { client in
      try await client.calendarList.insert(CalendarListEntry { $0.backgroundColor = .white }, colorRgbFormat: true)
    },
    Row("foregroundColor is ignored without colorRgbFormat: set it to true, or set colorId instead.") { client in
      try await client.calendarList.update(CalendarListEntry { $0.foregroundColor = .white }, for: "c")
    } allowed: { client in
      try await client.calendarList.update(
        CalendarListEntry {
          $0.foregroundColor = .white
          $0.colorID = "1"
        }, for: "c")
    },
    Row("The address of a channel must be an https URL.") { client in
      try await client.settings.watch(WatchChannel { $0.address = "http://a.example" })
    } allowed: { client in
      try await client.settings.watch(WatchChannel { $0.address = "https://a.example" })
    },
    Row("q cannot be combined with syncToken: leave one of them out.") { client in
      _ = try await client.events.list(in: "c", .init(q: "x", syncToken: "s"))
    } allowed: { client in
      _ = try await client.events.list(in: "c", .init(syncToken: "s"))
    },
    Row("showDeleted cannot be false with syncToken.") { client in
      _ = try await client.events.list(in: "c", .init(showDeleted: false, syncToken: "s"))
    } allowed: { client in
      _ = try await client.events.list(in: "c", .init(showDeleted: true, syncToken: "s"))
    },
    Row("maxResults is at least 1, not 0.") { client in
      _ = try await client.settings.list(.init(maxResults: 0))
    } allowed: { client in
      _ = try await client.settings.list(.init(maxResults: 1))
    },
    Row("maxResults is at most 2500, not 2501.") { client in
      _ = try await client.events.list(in: "c", .init(maxResults: 2501))
    } allowed: { client in
      _ = try await client.events.list(in: "c", .init(maxResults: 2500))
    },
    Row("token has at most 256 characters, not 257.") { client in
      try await client.settings.watch(WatchChannel { $0.token = text(257) })
    } allowed: { client in
      try await client.settings.watch(WatchChannel { $0.token = text(256) })
    },
  ]

  @Test(arguments: rows) func limitIsAllowedAndWhatBreaksItIsExplained(_ row: Row) async throws {
    let transport = StubTransport { _ in .json("{}") }
    let client = CalendarClient(transport: transport)
    let error = try await #require(throws: CalendarError.self) { try await row.refused(client) }
    #expect(error.code == .invalidRequest && error.message == row.message)
    #expect(transport.requests.isEmpty)
    try await row.allowed(client)
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: ["", ".", ".."]) func identifierThatWouldNameAnotherResourceIsExplained(_ id: String) async throws {
    let client = CalendarClient(transport: StubTransport())
    let error = try await #require(throws: CalendarError.self) { try await client.calendars.get(id) }
    #expect(error.code == .invalidRequest)
    #expect(
      error.message
        == "An identifier is empty, \".\" or \"..\", and would name another resource. Check the identifiers.")
  }
}
