// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Testing
import Timekeeping

/// The requests of every method are checked against the limits that the table of the API has for it.
struct MethodLimitTests {
  typealias Call = @Sendable (CalendarClient) async throws -> Void

  private static let now = Timestamp(secondsSince1970: 1_772_323_200)

  /// Requests with a number that is out of its range, by method and parameter.
  static let numbers: [String: Call] = [
    "acl.list maxResults": { _ = try await $0.acl.list(in: "c", .init(maxResults: 251)) },
    "acl.watch maxResults": { try await $0.acl.watch(WatchChannel(), in: "c", .init(maxResults: 251)) },
    "calendarList.list maxResults": { _ = try await $0.calendarList.list(.init(maxResults: 251)) },
    "calendarList.watch maxResults": { try await $0.calendarList.watch(WatchChannel(), .init(maxResults: 251)) },
    "events.get maxAttendees": { _ = try await $0.events.get("e", in: "c", maxAttendees: 0) },
    "events.import conferenceDataVersion": {
      try await $0.events.import(Event(), in: "c", conferenceDataVersion: 2)
    },
    "events.import eventLabelVersion": { try await $0.events.import(Event(), in: "c", eventLabelVersion: 2) },
    "events.insert conferenceDataVersion": {
      try await $0.events.insert(Event(), in: "c", .init(conferenceDataVersion: -1))
    },
    "events.insert eventLabelVersion": {
      try await $0.events.insert(Event(), in: "c", .init(eventLabelVersion: 2))
    },
    "events.insert maxAttendees": { try await $0.events.insert(Event(), in: "c", .init(maxAttendees: 0)) },
    "events.instances maxAttendees": {
      _ = try await $0.events.instances(of: "e", in: "c", .init(maxAttendees: 0))
    },
    "events.instances maxResults": {
      _ = try await $0.events.instances(of: "e", in: "c", .init(maxResults: 2501))
    },
    "events.list maxAttendees": { _ = try await $0.events.list(in: "c", .init(maxAttendees: 0)) },
    "events.list maxResults": { _ = try await $0.events.list(in: "c", .init(maxResults: 2501)) },
    "events.patch conferenceDataVersion": {
      try await $0.events.patch(.leave, for: "e", in: "c", .init(conferenceDataVersion: 2))
    },
    "events.patch eventLabelVersion": {
      try await $0.events.patch(.leave, for: "e", in: "c", .init(eventLabelVersion: 2))
    },
    "events.patch maxAttendees": {
      try await $0.events.patch(.leave, for: "e", in: "c", .init(maxAttendees: 0))
    },
    "events.update conferenceDataVersion": {
      try await $0.events.update(Event(), for: "e", in: "c", .init(conferenceDataVersion: 2))
    },
    "events.update eventLabelVersion": {
      try await $0.events.update(Event(), for: "e", in: "c", .init(eventLabelVersion: 2))
    },
    "events.update maxAttendees": {
      try await $0.events.update(Event(), for: "e", in: "c", .init(maxAttendees: 0))
    },
    "events.watch maxAttendees": { try await $0.events.watch(WatchChannel(), in: "c", .init(maxAttendees: 0)) },
    "events.watch maxResults": { try await $0.events.watch(WatchChannel(), in: "c", .init(maxResults: 2501)) },
    "settings.list maxResults": { _ = try await $0.settings.list(.init(maxResults: 251)) },
    "settings.watch maxResults": { try await $0.settings.watch(WatchChannel(), .init(maxResults: 251)) },
  ]

  /// Requests with a sync token and a parameter that does not go with it, by method and parameter.
  static let synchronizations: [String: Call] = [
    "acl.list showDeleted": {
      _ = try await $0.acl.list(in: "c", .init(showDeleted: false, syncToken: "s"))
    },
    "calendarList.list minAccessRole": {
      _ = try await $0.calendarList.list(.init(minAccessRole: .owner, syncToken: "s"))
    },
    "calendarList.list showDeleted": { _ = try await $0.calendarList.list(.init(showDeleted: false, syncToken: "s")) },
    "calendarList.list showHidden": { _ = try await $0.calendarList.list(.init(showHidden: false, syncToken: "s")) },
    "calendarList.list showOwnOrganizationOnly": {
      _ = try await $0.calendarList.list(.init(showOwnOrganizationOnly: true, syncToken: "s"))
    },
    "events.list iCalUID": { _ = try await $0.events.list(in: "c", .init(iCalUID: "u", syncToken: "s")) },
    "events.list orderBy": { _ = try await $0.events.list(in: "c", .init(orderBy: .updated, syncToken: "s")) },
    "events.list privateExtendedProperty": {
      _ = try await $0.events.list(in: "c", .init(privateExtendedProperty: ["a=1"], syncToken: "s"))
    },
    "events.list q": { _ = try await $0.events.list(in: "c", .init(q: "text", syncToken: "s")) },
    "events.list sharedExtendedProperty": {
      _ = try await $0.events.list(in: "c", .init(sharedExtendedProperty: ["a=1"], syncToken: "s"))
    },
    "events.list showDeleted": {
      _ = try await $0.events.list(in: "c", .init(showDeleted: false, syncToken: "s"))
    },
    "events.list timeMax": { _ = try await $0.events.list(in: "c", .init(timeMax: now, syncToken: "s")) },
    "events.list timeMin": { _ = try await $0.events.list(in: "c", .init(timeMin: now, syncToken: "s")) },
    "events.list updatedMin": { _ = try await $0.events.list(in: "c", .init(updatedMin: now, syncToken: "s")) },
  ]

  private func expectRefusal(_ name: String, _ call: Call, _ message: String) async throws {
    let transport = StubTransport { _ in .json("{}") }
    let error = try await #require(throws: CalendarError.self, "\(name)") {
      try await call(CalendarClient(transport: transport))
    }
    #expect(error.code == .invalidRequest && error.message.hasPrefix(message), "\(name): \(error)")
    #expect(transport.requests.isEmpty, "\(name)")
  }

  @Test func everyNumberOfEveryMethodIsCheckedAgainstItsRange() async throws {
    let limited = try APITable().members("methods").flatMap { method, facts in
      (facts["queryParameters"]?.object ?? [:]).compactMap { name, facts in
        ["pageSizeMax", "minimum", "maximum"].contains { facts[$0] != nil } ? "\(method) \(name)" : nil
      }
    }
    #expect(Set(Self.numbers.keys) == Set(limited))
    for (name, call) in Self.numbers {
      let parameter = try #require(name.split(separator: " ").last)
      try await expectRefusal(name, call, "\(parameter) must be at ")
    }
  }

  @Test func everyParameterThatASynchronizationExcludesIsRefused() async throws {
    let excluded = try APITable().members("methods").flatMap { method, facts in
      ["mustNotCombine", "mustNotBeFalse"].flatMap { facts["sync"]?[$0]?.array ?? [] }.compactMap(\.string)
        .map { "\(method) \($0)" }
    }
    #expect(Set(Self.synchronizations.keys) == Set(excluded))
    for (name, call) in Self.synchronizations {
      let parameter = try #require(name.split(separator: " ").last)
      try await expectRefusal(name, call, "\(parameter) cannot be ")
    }
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
