// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import HexColor
import Testing
import Timekeeping

/// The client rejects values that the server would silently ignore, truncate or drop.
struct LimitTests {
  typealias Call = @Sendable (CalendarClient) async throws -> Void

  /// A limit: a request that breaks it, one that just keeps it, and the words of the message that name it.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let refused: Call
    let allowed: Call

    init(_ words: String, refused: @escaping Call, allowed: @escaping Call) {
      testDescription = words
      self.refused = refused
      self.allowed = allowed
    }

    /// Requests that differ in a value.
    init<Value: Sendable>(
      _ words: String, _ refused: Value, _ allowed: Value,
      _ send: @escaping @Sendable (CalendarClient, Value) async throws -> Void
    ) {
      self.init(words) {
        try await send($0, refused)
      } allowed: {
        try await send($0, allowed)
      }
    }

    /// New events that differ in a value.
    init<Value: Sendable>(
      _ words: String, _ refused: Value, _ allowed: Value,
      configure: @escaping @Sendable (inout Event, Value) -> Void
    ) {
      self.init(words, refused, allowed) { client, value in
        try await client.events.insert(Event { configure(&$0, value) }, in: "c")
      }
    }
  }

  /// A text of so many characters, which are the parts of joined ones as far as possible.
  private static func text(_ count: Int) -> String {
    String(repeating: "👩‍👩‍👧", count: count / 5) + String(repeating: "x", count: count % 5)
  }

  /// Properties whose names and values have so many bytes together.
  private static func properties(ofSize size: Int) -> [String: String] {
    var properties: [String: String] = [:]
    for number in 10..<42 { properties["name\(number)"] = String(repeating: "x", count: 1017) }
    // 32 names of six bytes and values of 1,017.
    properties["n"] = String(repeating: "x", count: size - 32 * 1023 - 1)
    return properties
  }

  static let identifiers = [
    ("abcd", "abcde"), (String(repeating: "a", count: 1025), String(repeating: "a", count: 1024)), ("avw09", "avv09"),
    ("aa`aa", "aa0aa"), ("aa/aa", "aa9aa"), ("aa:aa", "aaaaa"),
  ].map { refused, allowed in Row("identifier", refused, allowed) { $0.id = $1 } }

  static let events = [
    Row("useDefault", true, false) { event, useDefault in
      event.reminders = .init {
        $0.useDefault = useDefault
        $0.overrides = [EventReminder(.popup, minutes: 1)]
      }
    },
    Row("reminders.overrides can have", 6, 5) { event, count in
      event.reminders = .init {
        $0.useDefault = false
        $0.overrides = (0..<count).map { EventReminder(.popup, minutes: $0) }
      }
    },
    Row("reminders.overrides.minutes must be at most 40320, not 40321.", 40_321, 40_320) { event, minutes in
      event.reminders = .init { $0.overrides = [EventReminder(.popup, minutes: minutes)] }
    },
    Row("reminders.overrides.minutes must be at least 0, not -1.", -1, 0) { event, minutes in
      event.reminders = .init { $0.overrides = [EventReminder(.popup, minutes: minutes)] }
    },
    Row("time zone", String?.none, "Europe/Zurich") { event, zone in
      event.recurrence = ["RRULE:FREQ=DAILY"]
      event.start = EventDateTime(dateTime: OffsetDateTime(.unixEpoch), timeZone: zone)
    },
    Row("name of an extended property", 45, 44) { event, count in
      event.extendedProperties = .init { $0.shared = [text(count): "v"] }
    },
    Row("value of an extended property", 1025, 1024) { event, count in
      event.extendedProperties = .init { $0.private = ["k": text(count)] }
    },
    Row("300 extended properties", 151, 150) { event, count in
      event.extendedProperties = .init {
        $0.private = Dictionary(uniqueKeysWithValues: (0..<150).map { ("\($0)", "") })
        $0.shared = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", "") })
      }
    },
    Row("32 kB", 32_769, 32_768) { event, size in
      event.extendedProperties = .init { $0.private = properties(ofSize: size) }
    },
  ]

  static let parameters = [
    Row("attachments", false, true) { client, supported in
      try await client.events.insert(Event { $0.attachments = [] }, in: "c", .init(supportsAttachments: supported))
    },
    Row("attachments", false, true) { client, supported in
      let patch = Event.Patch { $0.attachments = .clear }
      try await client.events.patch(patch, for: "e", in: "c", .init(supportsAttachments: supported))
    },
    Row("attachments", 26, 25) { client, count in
      let event = Event { $0.attachments = Array(repeating: EventAttachment(), count: count) }
      try await client.events.insert(event, in: "c", .init(supportsAttachments: true))
    },
    Row("conferenceData", 0, 1) { client, version in
      let event = Event { $0.conferenceData = ConferenceData() }
      try await client.events.insert(event, in: "c", .init(conferenceDataVersion: version))
    },
    Row("conferenceData", true, false) { client, isRequest in
      let data = ConferenceData { if isRequest { $0.createRequest = CreateConferenceRequest() } else { $0.notes = "" } }
      try await client.events.update(Event { $0.conferenceData = data }, for: "e", in: "c")
    },
    Row("notes", 2049, 2048) { client, count in
      let event = Event { $0.conferenceData = ConferenceData { $0.notes = text(count) } }
      try await client.events.insert(event, in: "c", .init(conferenceDataVersion: 1))
    },
    Row("uri", 1301, 1300) { client, count in
      let points = [EntryPoint { $0.uri = text(1300) }, EntryPoint { $0.uri = text(count) }]
      let patch = Event.Patch { $0.conferenceData.entryPoints = .set(points) }
      try await client.events.patch(patch, for: "e", in: "c", .init(conferenceDataVersion: 1))
    },
    Row("eventLabelId", 0, 1) { client, version in
      try await client.events.insert(Event { $0.eventLabelID = "l" }, in: "c", .init(eventLabelVersion: version))
    },
    Row("eventLabelId", 0, 1) { client, version in
      let patch = Event.Patch { $0.eventLabelID = .clear }
      try await client.events.patch(patch, for: "e", in: "c", .init(eventLabelVersion: version))
    },
    Row("colorId", 1, 0) { client, version in
      try await client.events.insert(Event { $0.colorID = "1" }, in: "c", .init(eventLabelVersion: version))
    },
    Row("name of an extended property", 45, 44) { client, count in
      let patch = Event.Patch { $0.extendedProperties.private[text(count)] = .set("v") }
      try await client.events.patch(patch, for: "e", in: "c")
    },
    Row("backgroundColor", false, true) { client, isRGB in
      let entry = CalendarListEntry {
        $0.backgroundColor = .white
        $0.colorID = isRGB ? nil : "1"
      }
      try await client.calendarList.insert(entry, colorRgbFormat: isRGB)
    },
    Row("foregroundColor", String?.none, "1") { client, colorID in
      let entry = CalendarListEntry {
        $0.foregroundColor = .white
        $0.colorID = colorID
      }
      try await client.calendarList.update(entry, for: "c")
    },
    Row("foregroundColor", false, true) { client, isRGB in
      let patch = CalendarListEntry.Patch { $0.foregroundColor = .set(.white) }
      try await client.calendarList.patch(patch, for: "c", colorRgbFormat: isRGB)
    },
    Row("minutes", 40_321, 40_320) { client, minutes in
      let patch = CalendarListEntry.Patch { $0.defaultReminders = .set([EventReminder(.popup, minutes: minutes)]) }
      try await client.calendarList.patch(patch, for: "c")
    },
    Row("token", 257, 256) { client, count in
      try await client.settings.watch(WatchChannel(address: "https://a.example", token: text(count)))
    },
    Row("items", 51, 50) { client, count in
      let items = (0..<count).map { FreeBusyRequestItem(id: "\($0)") }
      _ = try await client.freebusy.query(FreeBusyRequest { $0.items = items })
    },
    Row("eventLabels", 201, 200) { client, count in
      let labels = Array(repeating: EventLabel(), count: count)
      try await client.calendars.insert(CalendarMetadata { $0.labelProperties = .init { $0.eventLabels = labels } })
    },
    Row("maxResults must be at most 250, not 251.", 251, 250) { client, count in
      _ = try await client.settings.list(.init(maxResults: count))
    },
    Row("maxAttendees must be at least 1, not 0.", 0, 1) { client, count in
      _ = try await client.events.get("e", in: "c", maxAttendees: count)
    },
    Row("showDeleted cannot be ", false, true) { client, isShown in
      _ = try await client.acl.list(in: "c", .init(showDeleted: isShown, syncToken: "s"))
    },
    Row("q cannot be ", "text", nil) { client, text in
      _ = try await client.events.list(in: "c", .init(q: text, syncToken: "s"))
    },
    Row("quotaUser", 41, 40) { client, count in
      var request = ColorsResource.get()
      request.quotaUser = text(count)
      _ = try await client.send(request)
    },
    Row("quotaUser", 41, 40) { client, count in
      var client = client
      client.options.quotaUser = text(count)
      _ = try await client.colors.get()
    },
  ]

  @Test(arguments: identifiers + events + parameters) func limitIsAllowedAndWhatBreaksItIsNotSent(_ row: Row)
    async throws
  {
    let transport = StubTransport { _ in .json("{}") }
    var client = CalendarClient(transport: transport)
    let error = try await #require(throws: CalendarError.self) { try await row.refused(client) }
    #expect(error.code == .invalidRequest && error.message.contains(row.testDescription), "\(error.message)")
    #expect(transport.requests.isEmpty)
    try await row.allowed(client)
    #expect(transport.requests.count == 1)
    // A caller can switch the check off.
    client.options.checksLimits = false
    try await row.refused(client)
    #expect(transport.requests.count == 2)
  }

  @Test func resourceThatWasReadCanBeWrittenBack() async throws {
    let json = ##"{"id":"c","colorId":"15","backgroundColor":"#9fc6e7","foregroundColor":"#000000"}"##
    let entry = try CalendarListEntry(json: Array(json.utf8))
    let event = try Event(
      json: Array(#"{"id":"_60q30c1g60o30e1i60o4ac1g","attachments":[{}],"conferenceData":{},"eventLabelId":"l"}"#.utf8)
    )
    let transport = StubTransport { _ in .json("{}") }
    let client = CalendarClient(transport: transport)
    try await client.calendarList.update(entry, for: "c")
    try await client.calendarList.insert(entry, colorRgbFormat: true)
    try await client.events.update(event, for: "e", in: "c")
    #expect(transport.requests.count == 3)
  }

  private func expectRefusal(_ name: String, _ call: Call, _ message: String) async throws {
    let transport = StubTransport { _ in .json("{}") }
    let error = try await #require(throws: CalendarError.self, "\(name)") {
      try await call(CalendarClient(transport: transport))
    }
    #expect(error.code == .invalidRequest && error.message.hasPrefix(message), "\(name): \(error)")
    #expect(transport.requests.isEmpty, "\(name)")
  }

  @Test func everyWayToWriteAnEventIsChecked() async throws {
    let reminders = Event {
      $0.reminders = .init {
        $0.useDefault = true
        $0.overrides = [EventReminder(.popup, minutes: 1)]
      }
    }
    let conference = Event { $0.conferenceData = ConferenceData { $0.createRequest = CreateConferenceRequest() } }
    let request = Event.Patch { $0.conferenceData.createRequest.requestID = .set("r") }
    for (event, patch, message) in [
      (reminders, Event.Patch(from: Event(), to: reminders), "reminders.overrides is ignored"),
      (conference, request, "conferenceData is ignored"),
    ] {
      try await expectRefusal("import", { try await $0.events.import(event, in: "c") }, message)
      try await expectRefusal("insert", { try await $0.events.insert(event, in: "c") }, message)
      try await expectRefusal("patch", { try await $0.events.patch(patch, for: "e", in: "c") }, message)
      try await expectRefusal("update", { try await $0.events.update(event, for: "e", in: "c") }, message)
    }
  }

  @Test func onlyAnInsertionNeedsAnIdentifierOfTheForm() async throws {
    let event = Event { $0.id = "W" }
    try await expectRefusal("insert", { try await $0.events.insert(event, in: "c") }, "The identifier")
    let transport = StubTransport { _ in .json("{}") }
    let client = CalendarClient(transport: transport)
    try await client.events.import(event, in: "c")
    try await client.events.patch(Event.Patch { $0.id = .set("W") }, for: "e", in: "c")
    try await client.events.update(event, for: "e", in: "c")
    #expect(transport.requests.count == 3)
  }

  @Test func everyWatchDeliversWithTLSOnly() async throws {
    let channel = WatchChannel { $0.address = "http://a.example" }
    let watches: [String: Call] = [
      "acl": { try await $0.acl.watch(channel, in: "c") },
      "calendarList": { try await $0.calendarList.watch(channel) },
      "events": { try await $0.events.watch(channel, in: "c") },
      "settings": { try await $0.settings.watch(channel) },
    ]
    for (name, watch) in watches { try await expectRefusal(name, watch, "The address of a channel") }
    // A channel is stopped whatever it was created with.
    let transport = StubTransport { _ in .json("{}") }
    try await CalendarClient(transport: transport).channels.stop(channel)
    #expect(transport.requests.count == 1)
  }
}
