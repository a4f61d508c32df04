// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI
import HTTPTransport
import Timekeeping

/// A call of a method of the API, with what a program does to follow the advice of its error.
struct MethodCall: Sendable, CustomStringConvertible {
  let name: String
  /// Prepares the calendars for the call.
  var prepare: @Sendable (CalendarClient) async throws -> Void = { _ in }
  /// Makes the request, once: sending it again sends the same value.
  let request: @Sendable (CalendarClient) async throws -> Sending
  /// Whether the response to the error's lookup shows the change.
  var isThere: @Sendable (JSONValue) -> Bool = { _ in true }

  var description: String { name }

  /// Sends one request value.
  typealias Sending = @Sendable (CalendarClient) async throws -> Void

  static func sending<Response>(_ request: CalendarRequest<Response>) -> Sending {
    { client in _ = try await client.send(request) }
  }
}

extension MethodCall {
  static let eventID = "lunch00000"
  static let rule = AclRule {
    $0.role = .reader
    $0.scope = AclRule.Scope {
      $0.type = .user
      $0.value = "cy@example.org"
    }
  }

  static let day = try? CivilDate(rfc3339: "2026-03-01")

  static func event(_ summary: String, id: String? = nil, uid: String? = nil) -> Event {
    Event {
      $0.id = id
      $0.iCalUID = uid
      $0.summary = summary
      $0.start = EventDateTime { $0.date = day }
      $0.end = EventDateTime { $0.date = day?.adding(days: 1) }
    }
  }

  static func insertEvent(_ client: CalendarClient) async throws {
    try await client.events.insert(event("Lunch", id: eventID), in: "primary")
  }

  static func insertRule(_ client: CalendarClient) async throws {
    try await client.acl.insert(rule, in: team(client))
  }

  /// The identifier of the calendar that is there for the calls.
  static func team(_ client: CalendarClient) async throws -> String {
    for try await entry in client.calendarList.all() where entry.summary == "Team" { return entry.id ?? "" }
    return try await client.calendars.insert(CalendarMetadata { $0.summary = "Team" }).id ?? ""
  }

  static func channel() -> WatchChannel {
    WatchChannel(address: "https://program.example/changes", id: "channel-1")
  }

  private static func reads<Response>(_ name: String, _ request: CalendarRequest<Response>) -> MethodCall {
    MethodCall(name: name, prepare: insertEvent) { _ in sending(request) }
  }

  private static func conditional<Response>(
    _ name: String, _ request: @escaping @Sendable () -> CalendarRequest<Response>
  ) -> MethodCall {
    MethodCall(name: name, prepare: insertEvent) { client in
      var request = request()
      request.ifMatch = try await client.events.get(eventID, in: "primary").etag
      return sending(request)
    }
  }

  /// All methods, some of them more than once.
  static let all: [MethodCall] = reading + writing + adding + watching

  static let reading: [MethodCall] = [
    MethodCall(name: "acl.get", prepare: insertRule) {
      sending(AclResource.get("user:cy@example.org", in: try await team($0)))
    },
    MethodCall(name: "acl.list") { sending(AclResource.list(in: try await team($0))) },
    reads("calendarList.get", CalendarListResource.get("primary")),
    reads("calendarList.list", CalendarListResource.list()),
    reads("calendars.get", CalendarsResource.get("primary")), reads("colors.get", ColorsResource.get()),
    reads("events.get", EventsResource.get(eventID, in: "primary")),
    MethodCall(name: "events.instances") { client in
      var event = event("Weekly", id: eventID)
      event.recurrence = ["RRULE:FREQ=WEEKLY;COUNT=3"]
      try await client.events.insert(event, in: "primary")
    } request: { _ in
      sending(EventsResource.instances(of: eventID, in: "primary"))
    },
    reads("events.list", EventsResource.list(in: "primary")),
    reads(
      "freebusy.query",
      FreeBusyResource.query(
        FreeBusyRequest(
          calendars: ["primary"], from: Timestamp(secondsSince1970: 1_767_225_600),
          to: Timestamp(secondsSince1970: 1_767_312_000)))), reads("settings.list", SettingsResource.list()),
    reads("settings.get", SettingsResource.get("timezone")),
  ]

  static let writing: [MethodCall] = [
    MethodCall(name: "acl.delete", prepare: insertRule) {
      sending(AclResource.delete("user:cy@example.org", in: try await team($0)))
    },
    MethodCall(name: "acl.patch", prepare: insertRule) {
      sending(
        AclResource.patch(AclRule.Patch { $0.role = .set(.writer) }, for: "user:cy@example.org", in: try await team($0))
      )
    },
    MethodCall(name: "acl.update", prepare: insertRule) {
      var changed = rule
      changed.role = .writer
      return sending(
        AclResource.update(changed, for: "user:cy@example.org", in: try await team($0)))
    },
    MethodCall(name: "calendarList.delete") { sending(CalendarListResource.delete(try await team($0))) },
    MethodCall(name: "calendarList.patch") {
      sending(
        CalendarListResource.patch(
          CalendarListEntry.Patch { $0.summaryOverride = .set("Crew") }, for: try await team($0)))
    },
    MethodCall(name: "calendarList.update") {
      sending(
        CalendarListResource.update(CalendarListEntry { $0.summaryOverride = "Crew" }, for: try await team($0)))
    },
    MethodCall(name: "calendars.clear", prepare: insertEvent) { _ in
      sending(CalendarsResource.clear("primary"))
    },
    MethodCall(name: "calendars.delete") { sending(CalendarsResource.delete(try await team($0))) },
    MethodCall(name: "calendars.patch") {
      sending(
        CalendarsResource.patch(CalendarMetadata.Patch { $0.location = .set("Roof") }, for: try await team($0)))
    },
    MethodCall(name: "calendars.update") {
      sending(
        CalendarsResource.update(
          CalendarMetadata {
            $0.summary = "Team"
            $0.location = "Roof"
          }, for: try await team($0)))
    },
    MethodCall(name: "events.delete", prepare: insertEvent) { _ in
      sending(EventsResource.delete(eventID, in: "primary"))
    },
    MethodCall(name: "events.patch", prepare: insertEvent) { _ in
      sending(
        EventsResource.patch(Event.Patch { $0.summary = .set("Dinner") }, for: eventID, in: "primary"))
    },
    MethodCall(name: "events.update", prepare: insertEvent) { _ in
      sending(EventsResource.update(event("Dinner"), for: eventID, in: "primary"))
    },
    conditional("events.delete") { EventsResource.delete(eventID, in: "primary") },
    conditional("events.patch") {
      EventsResource.patch(Event.Patch { $0.summary = .set("Dinner") }, for: eventID, in: "primary")
    },
    conditional("events.update") { EventsResource.update(event("Dinner"), for: eventID, in: "primary") },
  ]

  static let adding: [MethodCall] = [
    MethodCall(name: "acl.insert") {
      sending(AclResource.insert(rule, in: try await team($0)))
    } isThere: { found in
      found["items"]?.array?.contains { $0["scope"]?["value"]?.string == "cy@example.org" } == true
    },
    MethodCall(name: "calendarList.insert") { client in
      let id = try await team(client)
      try await client.calendarList.delete(id)
      return sending(CalendarListResource.insert(CalendarListEntry { $0.id = id }))
    } isThere: {
      $0["deleted"]?.bool != true
    },
    MethodCall(name: "calendars.insert") { _ in
      sending(CalendarsResource.insert(CalendarMetadata { $0.summary = "New" }))
    } isThere: { found in
      found["items"]?.array?.contains { $0["summary"]?.string == "New" } == true
    },
    MethodCall(name: "calendars.transferOwnership") {
      sending(
        CalendarsResource.transferOwnership(of: try await team($0), to: "bo@example.org", useAdminAccess: true))
    } isThere: {
      $0["dataOwner"]?.string == "bo@example.org"
    },
    MethodCall(name: "events.import") { _ in
      sending(EventsResource.import(event("Imported", uid: "uid-1@example.org"), in: "primary"))
    } isThere: {
      $0["items"]?.array?.isEmpty == false
    },
    MethodCall(name: "events.insert") { _ in sending(EventsResource.insert(event("New"), in: "primary")) },
    MethodCall(name: "events.insert") { _ in
      sending(EventsResource.insert(event("New", id: "chosen0000"), in: "primary"))
    },
    MethodCall(name: "events.move", prepare: insertEvent) {
      sending(EventsResource.move(eventID, from: "primary", to: try await team($0)))
    } isThere: {
      $0["status"]?.string != "cancelled"
    },
    MethodCall(name: "events.quickAdd") { _ in
      sending(EventsResource.quickAdd("Tea tomorrow 16:00", in: "primary"))
    } isThere: { found in
      found["items"]?.array?.contains { $0["summary"]?.string == "Tea" } == true
    },
  ]

  static let watching: [MethodCall] = [
    MethodCall(name: "acl.watch") { sending(AclResource.watch(channel(), in: try await team($0))) },
    MethodCall(name: "calendarList.watch") { _ in sending(CalendarListResource.watch(channel())) },
    MethodCall(name: "events.watch") { _ in sending(EventsResource.watch(channel(), in: "primary")) },
    MethodCall(name: "settings.watch") { _ in sending(SettingsResource.watch(channel())) },
    MethodCall(name: "channels.stop") { client in
      let channel = try await client.events.watch(channel(), in: "primary")
      return sending(ChannelsResource.stop(channel))
    },
  ]
}
