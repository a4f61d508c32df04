// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Testing
import Timekeeping

/// What the server would silently ignore, cut or drop is refused before it is sent.
struct LimitTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let send: @Sendable (CalendarClient) async throws -> Void

    init(_ reason: String, _ send: @escaping @Sendable (CalendarClient) async throws -> Void) {
      testDescription = reason
      self.send = send
    }

    /// A new event.
    init(_ reason: String, _ configure: @escaping @Sendable (inout Event) -> Void) {
      self.init(reason) { (client: CalendarClient) in
        try await client.events.insert(Event(configure), calendarId: "c")
      }
    }
  }

  private static func properties(_ count: Int, name: Int = 8, value: Int = 1) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: (0..<count).map { number in
        let digits = String(number)
        return (String(repeating: "k", count: name - digits.count) + digits, String(repeating: "v", count: value))
      })
  }

  static let refused = [
    Row("a name of 45 characters") { $0.extendedProperties = .init { $0.private = properties(1, name: 45) } },
    Row("a value of 1,025 characters") { $0.extendedProperties = .init { $0.shared = properties(1, value: 1025) } },
    Row("301 properties") { $0.extendedProperties = .init { $0.private = properties(301) } },
    Row("more than 32 kB") { $0.extendedProperties = .init { $0.private = properties(33, value: 1000) } },
    Row("six reminders") {
      $0.reminders = .init {
        $0.useDefault = false
        $0.overrides = (0..<6).map { EventReminder(.popup, minutes: $0) }
      }
    },
    Row("a reminder after the start") { $0.reminders = .init { $0.overrides = [EventReminder(.popup, minutes: -1)] } },
    Row("a reminder too early") { $0.reminders = .init { $0.overrides = [EventReminder(.popup, minutes: 40_321)] } },
    Row("reminders that do not count") {
      $0.reminders = .init {
        $0.useDefault = true
        $0.overrides = [EventReminder(.popup, minutes: 1)]
      }
    },
    Row("attachments without supportsAttachments") { $0.attachments = [EventAttachment()] },
    Row("a conference without conferenceDataVersion") { $0.conferenceData = ConferenceData() },
    Row("a label without eventLabelVersion") { $0.eventLabelId = "l" },
    Row("an identifier that is too short") { $0.id = "abcd" },
    Row("an identifier with a w") { $0.id = "abcdw" },
    Row("a recurring event without time zone") {
      $0.recurrence = ["RRULE:FREQ=DAILY"]
      $0.start = OffsetDateTime(.unixEpoch).map { EventDateTime($0) }
    },
    Row("26 attachments") { client in
      try await client.events.insert(
        Event { $0.attachments = Array(repeating: EventAttachment(), count: 26) }, calendarId: "c",
        .init(supportsAttachments: true))
    },
    Row("a patch too") { client in
      try await client.events.patch(
        Event.Patch { $0.extendedProperties.private[String(repeating: "k", count: 45)] = .set("v") }, calendarId: "c",
        eventId: "e")
    },
    Row("a synchronization with a search") { client in
      _ = try await client.events.list(calendarId: "c", .init(q: "x", syncToken: "s"))
    },
    Row("a synchronization without deleted events") { client in
      _ = try await client.events.list(calendarId: "c", .init(showDeleted: false, syncToken: "s"))
    },
    Row("a synchronization of some calendars") { client in
      _ = try await client.calendarList.list(.init(minAccessRole: .owner, syncToken: "s"))
    },
    Row("51 calendars") { client in
      _ = try await client.freebusy.query(
        FreeBusyRequest { $0.items = (0..<51).map { FreeBusyRequestItem(id: "\($0)") } })
    },
    Row("201 labels") { client in
      try await client.calendars.insert(
        CalendarMetadata {
          $0.labelProperties = .init { $0.eventLabels = Array(repeating: EventLabel(), count: 201) }
        })
    },
    Row("notifications without TLS") { client in
      try await client.settings.watch(Channel { $0.address = "http://a.example" })
    },
    Row("a long quota user") { client in
      var client = client
      client.options.quotaUser = String(repeating: "u", count: 41)
      _ = try await client.colors.get()
    },
  ]

  @Test(arguments: refused) func isRefusedBeforeItIsSent(_ row: Row) async throws {
    let transport = StubTransport { _ in .json("{}") }
    let error = try await #require(throws: CalendarError.self) {
      try await row.send(CalendarClient(transport: transport))
    }
    #expect(error.code == .invalidRequest)
    #expect(transport.requests.isEmpty)
    // A caller can switch the check off.
    var client = CalendarClient(transport: transport)
    client.options.checksLimits = false
    try await row.send(client)
    #expect(transport.requests.count == 1)
  }

  @Test func whatIsJustWithinTheLimitsIsSent() async throws {
    let transport = StubTransport { _ in .json("{}") }
    let client = CalendarClient(transport: transport)
    let event = Event {
      $0.id = "abv09"
      $0.extendedProperties = .init {
        $0.private = Self.properties(100, name: 44, value: 10)
        $0.shared = Self.properties(20, name: 44, value: 1024)
      }
      $0.reminders = .init {
        $0.useDefault = false
        $0.overrides = (0..<5).map { EventReminder(.popup, minutes: $0 * 10_080) }
      }
      $0.attachments = Array(repeating: EventAttachment(), count: 25)
      $0.conferenceData = ConferenceData()
      $0.eventLabelId = "l"
    }
    try await client.events.insert(
      event, calendarId: "c", .init(conferenceDataVersion: 1, eventLabelVersion: 1, supportsAttachments: true))
    _ = try await client.events.list(calendarId: "c", .init(showDeleted: true, singleEvents: true, syncToken: "s"))
    #expect(transport.requests.count == 2)
  }

  @Test func anEventThatWasReadCanBeWrittenBack() async throws {
    let json = #"{"id":"_60q30c1g60o30e1i60o4ac1g","attachments":[{}],"conferenceData":{},"eventLabelId":"l"}"#
    let event = try Event(json: Array(json.utf8))
    let transport = StubTransport { _ in .json("{}") }
    try await CalendarClient(transport: transport).events.update(event, calendarId: "c", eventId: "e")
    #expect(transport.requests.count == 1)
  }
}
