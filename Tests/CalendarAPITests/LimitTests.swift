// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import HexColor
import Testing
import Timekeeping

/// The client rejects values that the server would silently ignore, truncate or drop.
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
        try await client.events.insert(Event(configure), in: "c")
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

  private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

  static let refused = [
    Row("a name of 45 characters") { $0.extendedProperties = .init { $0.private = properties(1, name: 45) } },
    Row("a value of 1,025 characters") { $0.extendedProperties = .init { $0.shared = properties(1, value: 1025) } },
    Row("a name of 15 families of three, who are joined") {
      $0.extendedProperties = .init { $0.private = [String(repeating: "👩‍👩‍👧", count: 15): "v"] }
    },
    Row("a value of 205 families of three") {
      $0.extendedProperties = .init { $0.shared = ["k": String(repeating: "👩‍👩‍👧", count: 205)] }
    },
    Row("a token of 52 families of three") { client in
      try await client.settings.watch(
        WatchChannel(address: "https://a.example", token: String(repeating: "👩‍👩‍👧", count: 52)))
    },
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
    Row("a label without eventLabelVersion") { $0.eventLabelID = "l" },
    Row("a colour beside labels") { client in
      try await client.events.insert(Event { $0.colorID = "5" }, in: "c", .init(eventLabelVersion: 1))
    },
    Row("the removal of attachments without supportsAttachments") { client in
      try await client.events.patch(Event.Patch { $0.attachments = .clear }, for: "e", in: "c")
    },
    Row("the removal of a label without eventLabelVersion") { client in
      try await client.events.patch(Event.Patch { $0.eventLabelID = .clear }, for: "e", in: "c")
    },
    Row("notes of a conference of 2,049 characters") { client in
      try await client.events.insert(
        Event { $0.conferenceData = ConferenceData { $0.notes = text(2049) } }, in: "c", .init(conferenceDataVersion: 1)
      )
    },
    Row("an entry point whose URI has 1,301 characters") { client in
      let points = [EntryPoint { $0.uri = text(1300) }, EntryPoint { $0.uri = text(1301) }]
      try await client.events.patch(
        Event.Patch { $0.conferenceData.entryPoints = .set(points) }, for: "e", in: "c", .init(conferenceDataVersion: 1)
      )
    },
    Row("a colour of a new entry without colorRgbFormat") { client in
      try await client.calendarList.insert(CalendarListEntry { $0.backgroundColor = .white })
    },
    Row("another colour of an entry without colorRgbFormat") { client in
      try await client.calendarList.patch(
        CalendarListEntry.Patch { $0.foregroundColor = .set(.white) }, for: "c", colorRgbFormat: false)
    },
    Row("a replacement with nothing but a colour without colorRgbFormat") { client in
      try await client.calendarList.update(CalendarListEntry { $0.backgroundColor = .white }, for: "c")
    },
    Row("a default reminder too early") { client in
      try await client.calendarList.patch(
        CalendarListEntry.Patch { $0.defaultReminders = .set([EventReminder(.popup, minutes: 40_321)]) }, for: "c")
    },
    Row("2,501 events on a page") { client in
      _ = try await client.events.list(in: "c", .init(maxResults: 2501))
    },
    Row("251 rules on a page") { client in _ = try await client.acl.list(in: "c", .init(maxResults: 251)) },
    Row("no settings on a page") { client in _ = try await client.settings.list(.init(maxResults: 0)) },
    Row("an unknown version") { client in
      try await client.events.insert(Event(), in: "c", .init(conferenceDataVersion: 2))
    },
    Row("a token of 257 characters") { client in
      try await client.settings.watch(WatchChannel(address: "https://a.example", token: text(257)))
    },
    Row("an identifier that is too short") { $0.id = "abcd" },
    Row("an identifier with a w") { $0.id = "abcdw" },
    Row("a recurring event without time zone") {
      $0.recurrence = ["RRULE:FREQ=DAILY"]
      $0.start = EventDateTime(dateTime: OffsetDateTime(.unixEpoch))
    },
    Row("26 attachments") { client in
      try await client.events.insert(
        Event { $0.attachments = Array(repeating: EventAttachment(), count: 26) }, in: "c",
        .init(supportsAttachments: true))
    },
    Row("a patch too") { client in
      try await client.events.patch(
        Event.Patch { $0.extendedProperties.private[String(repeating: "k", count: 45)] = .set("v") }, for: "e", in: "c")
    },
    Row("a synchronization with a search") { client in
      _ = try await client.events.list(in: "c", .init(q: "x", syncToken: "s"))
    },
    Row("a synchronization without deleted events") { client in
      _ = try await client.events.list(in: "c", .init(showDeleted: false, syncToken: "s"))
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
      try await client.settings.watch(WatchChannel { $0.address = "http://a.example" })
    },
    Row("a long quota user") { client in
      var client = client
      client.options.quotaUser = String(repeating: "u", count: 41)
      _ = try await client.colors.get()
    },
    Row("a quota user of nine families of three") { client in
      var client = client
      client.options.quotaUser = String(repeating: "👩‍👩‍👧", count: 9)
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
      $0.conferenceData = ConferenceData {
        $0.notes = Self.text(2048)
        $0.entryPoints = [EntryPoint { $0.uri = Self.text(1300) }]
      }
      $0.eventLabelID = "l"
    }
    try await client.events.insert(
      event, in: "c", .init(conferenceDataVersion: 1, eventLabelVersion: 1, supportsAttachments: true))
    _ = try await client.events.list(
      in: "c", .init(singleEvents: true, showDeleted: true, maxResults: 2500, syncToken: "s"))
    _ = try await client.acl.list(in: "c", .init(maxResults: 250))
    #expect(transport.requests.count == 3)
  }

  @Test func theErrorSaysWhatWhereAndHowMuch() async throws {
    let client = CalendarClient(transport: StubTransport { _ in .json("{}") })
    let event = Event { $0.reminders = .init { $0.overrides = [EventReminder(.popup, minutes: -1)] } }
    let field = try await #require(throws: CalendarError.self) {
      try await client.events.insert(event, in: "c")
    }
    #expect(field.message == "reminders.overrides.minutes is at least 0, not -1.")
    let parameter = try await #require(throws: CalendarError.self) {
      _ = try await client.calendarList.list(.init(maxResults: 1000))
    }
    #expect(parameter.message == "maxResults is at most 250, not 1000.")
  }

  @Test func anEntryThatWasReadCanBeWrittenBack() async throws {
    let json = ##"{"id":"c","colorId":"15","backgroundColor":"#9fc6e7","foregroundColor":"#000000"}"##
    let entry = try CalendarListEntry(json: Array(json.utf8))
    let transport = StubTransport { _ in .json("{}") }
    let client = CalendarClient(transport: transport)
    try await client.calendarList.update(entry, for: "c")
    try await client.calendarList.insert(entry, colorRgbFormat: true)
    #expect(transport.requests.count == 2)
  }

  @Test func anEventThatWasReadCanBeWrittenBack() async throws {
    let json = #"{"id":"_60q30c1g60o30e1i60o4ac1g","attachments":[{}],"conferenceData":{},"eventLabelId":"l"}"#
    let event = try Event(json: Array(json.utf8))
    let transport = StubTransport { _ in .json("{}") }
    try await CalendarClient(transport: transport).events.update(event, for: "e", in: "c")
    #expect(transport.requests.count == 1)
  }
}
