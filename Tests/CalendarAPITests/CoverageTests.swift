// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Testing
import Timekeeping

/// The module has everything that the table of the API has: methods, parameters, schemas, fields, values and scopes.
@Suite(.serialized) struct CoverageTests {
  private let table: APITable

  init() throws { table = try APITable() }

  // MARK: Methods

  /// Sends every request of the module with every parameter.
  static let calls: [String: @Sendable (CalendarClient) async throws -> Void] = [
    "acl.delete": { try await $0.acl.delete("r", in: "c") },
    "acl.get": { _ = try await $0.acl.get("r", in: "c") },
    "acl.insert": { try await $0.acl.insert(AclRule(), in: "c", sendNotifications: true) },
    "acl.list": { _ = try await $0.acl.list(in: "c", aclList) },
    "acl.patch": { try await $0.acl.patch(.leave, for: "r", in: "c", sendNotifications: true) },
    "acl.update": { try await $0.acl.update(AclRule(), for: "r", in: "c", sendNotifications: true) },
    "acl.watch": { try await $0.acl.watch(WatchChannel(), in: "c", aclList) },
    "calendarList.delete": { try await $0.calendarList.delete("c") },
    "calendarList.get": { _ = try await $0.calendarList.get("c") },
    "calendarList.insert": { try await $0.calendarList.insert(CalendarListEntry(), colorRgbFormat: true) },
    "calendarList.list": { _ = try await $0.calendarList.list(calendarList) },
    "calendarList.patch": { try await $0.calendarList.patch(.leave, for: "c", colorRgbFormat: true) },
    "calendarList.update": {
      try await $0.calendarList.update(CalendarListEntry(), for: "c", colorRgbFormat: true)
    },
    "calendarList.watch": { try await $0.calendarList.watch(WatchChannel(), calendarList) },
    "calendars.clear": { try await $0.calendars.clear("c") },
    "calendars.delete": { try await $0.calendars.delete("c") },
    "calendars.get": { _ = try await $0.calendars.get("c") },
    "calendars.insert": { try await $0.calendars.insert(CalendarMetadata()) },
    "calendars.patch": { try await $0.calendars.patch(.leave, for: "c") },
    "calendars.transferOwnership": {
      try await $0.calendars.transferOwnership(of: "c", to: "a@b", useAdminAccess: true)
    },
    "calendars.update": { try await $0.calendars.update(CalendarMetadata(), for: "c") },
    "channels.stop": { try await $0.channels.stop(WatchChannel()) },
    "colors.get": { _ = try await $0.colors.get() },
    "events.delete": {
      try await $0.events.delete("e", in: "c", sendUpdates: .all, sendNotifications: true)
    },
    "events.get": {
      _ = try await $0.events.get("e", in: "c", timeZone: "UTC", maxAttendees: 1, alwaysIncludeEmail: true)
    },
    "events.import": {
      try await $0.events.import(
        Event(), in: "c", conferenceDataVersion: 1, eventLabelVersion: 1, supportsAttachments: true)
    },
    "events.insert": {
      try await $0.events.insert(
        Event(), in: "c",
        .init(
          sendUpdates: .externalOnly, conferenceDataVersion: 1, eventLabelVersion: 1, supportsAttachments: true,
          maxAttendees: 1, sendNotifications: true))
    },
    "events.instances": {
      _ = try await $0.events.instances(
        of: "e", in: "c",
        .init(
          timeMin: now, timeMax: now, originalStart: "2026-03-01", showDeleted: true, timeZone: "UTC", maxAttendees: 1,
          maxResults: 2, pageToken: "p", alwaysIncludeEmail: true))
    },
    "events.list": { _ = try await $0.events.list(in: "c", eventsList) },
    "events.move": {
      try await $0.events.move("e", from: "c", to: "d", sendUpdates: SendUpdates.none, sendNotifications: false)
    },
    "events.patch": { try await $0.events.patch(.leave, for: "e", in: "c", eventsUpdate) },
    "events.quickAdd": {
      try await $0.events.quickAdd("Lunch", in: "c", sendUpdates: .all, sendNotifications: true)
    },
    "events.update": { try await $0.events.update(Event(), for: "e", in: "c", eventsUpdate) },
    "events.watch": { try await $0.events.watch(WatchChannel(), in: "c", eventsList) },
    "freebusy.query": { _ = try await $0.freebusy.query(FreeBusyRequest()) },
    "settings.get": { _ = try await $0.settings.get("s") },
    "settings.list": { _ = try await $0.settings.list(settingsList) },
    "settings.watch": { try await $0.settings.watch(WatchChannel(), settingsList) },
  ]

  private static let now = Timestamp(secondsSince1970: 1_772_323_200)
  private static let aclList = AclResource.ListQuery(showDeleted: true, maxResults: 1, pageToken: "p", syncToken: "s")
  private static let settingsList = SettingsResource.ListQuery(maxResults: 1, pageToken: "p", syncToken: "s")
  private static let calendarList = CalendarListResource.ListQuery(
    minAccessRole: .writerWithoutPrivateAccess, showOwnOrganizationOnly: true, showDeleted: true, showHidden: true,
    maxResults: 1, pageToken: "p", syncToken: "s")
  private static let eventsList = EventsResource.ListQuery(
    timeMin: now, timeMax: now, q: "text", singleEvents: true, orderBy: .updated, eventTypes: [.default, "new"],
    iCalUID: "u", privateExtendedProperty: ["a=1", "b=2"], sharedExtendedProperty: ["c=3"], showDeleted: true,
    showHiddenInvitations: true, updatedMin: now, timeZone: "UTC", maxAttendees: 1, maxResults: 2500, pageToken: "p",
    syncToken: "s", alwaysIncludeEmail: true)
  private static let eventsUpdate = EventsResource.UpdateQuery(
    sendUpdates: .all, conferenceDataVersion: 1, eventLabelVersion: 1, supportsAttachments: true, maxAttendees: 1,
    sendNotifications: true, alwaysIncludeEmail: true)
  private static let ids = ["calendarId": "c", "eventId": "e", "ruleId": "r", "setting": "s"]

  @Test func everyMethodIsSentWithEveryParameter() async throws {
    for (id, facts) in table.members("methods") {
      let call = try #require(Self.calls[id], "no call of \(id)")
      let transport = StubTransport { _ in .json("{}") }
      try await call(CalendarClient(transport: transport, options: .init(checksLimits: false)))
      let request = try #require(transport.requests.first)
      let components = try #require(URLComponents(url: request.url, resolvingAgainstBaseURL: true))
      #expect(request.method.rawValue == facts["httpMethod"]?.string, "\(id)")
      var path = try #require(facts["path"]?.string)
      let pathParameters = try #require(facts["pathParameters"]?.array).compactMap(\.string)
      for name in pathParameters { path = path.replacing("{\(name)}", with: Self.ids[name] ?? "") }
      #expect(components.path == "/calendar/v3/" + path, "\(id)")
      let query = Set(try #require(facts["queryParameters"]?.object).keys)
      #expect(Set((components.queryItems ?? []).map(\.name)) == query, "\(id)")
      #expect((request.fields["Content-Type"] != nil) == (facts["request"] != nil), "\(id)")
      let outcome = facts["outcome"]
      let isRepeatable =
        facts["httpMethod"] != "POST" || facts["repeatable"] == true || outcome?["gone"] == true
        || outcome?["identified"] != nil
      #expect(transport.requests.map(\.isRepeatable) == [isRepeatable], "\(id)")
      #expect((request.body != nil) == !["GET", "DELETE"].contains(request.method.rawValue), "\(id)")
    }
    #expect(Set(Self.calls.keys) == Set(table.members("methods").map(\.key)))
  }

  // MARK: Schemas

  static let schemas: [String: any CalendarSchema.Type] = [
    "Acl": AclPage.self, "AclRule": AclRule.self, "Calendar": CalendarMetadata.self,
    "CalendarList": CalendarListPage.self,
    "CalendarListEntry": CalendarListEntry.self, "CalendarNotification": CalendarNotification.self,
    "Channel": WatchChannel.self, "ColorDefinition": ColorDefinition.self, "Colors": Colors.self,
    "ConferenceData": ConferenceData.self, "ConferenceParameters": ConferenceParameters.self,
    "ConferenceParametersAddOnParameters": ConferenceParametersAddOnParameters.self,
    "ConferenceProperties": ConferenceProperties.self, "ConferenceRequestStatus": ConferenceRequestStatus.self,
    "ConferenceSolution": ConferenceSolution.self, "ConferenceSolutionKey": ConferenceSolutionKey.self,
    "CreateConferenceRequest": CreateConferenceRequest.self, "EntryPoint": EntryPoint.self, "Error": FreeBusyError.self,
    "Event": Event.self, "EventAttachment": EventAttachment.self, "EventAttendee": EventAttendee.self,
    "EventBirthdayProperties": EventBirthdayProperties.self, "EventDateTime": EventDateTime.self,
    "EventFocusTimeProperties": EventFocusTimeProperties.self, "EventLabel": EventLabel.self,
    "EventOutOfOfficeProperties": EventOutOfOfficeProperties.self, "EventReminder": EventReminder.self,
    "EventWorkingLocationProperties": EventWorkingLocationProperties.self, "Events": EventsPage.self,
    "FreeBusyCalendar": FreeBusyCalendar.self, "FreeBusyGroup": FreeBusyGroup.self,
    "FreeBusyRequest": FreeBusyRequest.self, "FreeBusyRequestItem": FreeBusyRequestItem.self,
    "FreeBusyResponse": FreeBusyResponse.self, "LabelProperties": LabelProperties.self, "Setting": Setting.self,
    "Settings": SettingsPage.self, "TimePeriod": TimePeriod.self,
  ]

  @Test func everyFieldOfEverySchemaHasAProperty() throws {
    for (name, facts) in table.members("schemas") {
      let type = try #require(Self.schemas[name], "no type for \(name)")
      let names = Set(try #require(facts["properties"]?.object).keys)
      #expect(Set(type.fieldNames) == names, "\(name)")
      #expect(type.fieldNames.count == names.count, "\(name)")
      let sample = table.sample(schema: name)
      let value = try type.init(json: sample.json())
      #expect(value.additionalFields.keys.sorted() == ["future"], "\(name): every other field finds its property")
      #expect(try JSONValue(json: value.json()) == sample, "\(name): nothing is lost")
      #expect(try JSONValue(json: [UInt8](JSONEncoder().encode(value))) == sample, "\(name)")
      #expect(try type.init(decoding: sample).json() == value.json(), "\(name)")
    }
    #expect(Set(Self.schemas.keys) == Set(table.members("schemas").map(\.key)))
  }

  @Test func everyFieldOfEveryInnerObjectHasAProperty() throws {
    let objects = table.members("schemas").flatMap { innerObjects(of: $0.value, at: $0.key) }
    for (path, names) in objects {
      let read = try #require(Self.innerObjects[path], "no type for \(path)")
      let schema = path.prefix { $0 != "." }
      let object = try #require(try read(table.sample(schema: String(schema)).json()), "\(path)")
      #expect(Set(type(of: object).fieldNames) == names, "\(path)")
      #expect(object.additionalFields.keys.sorted() == ["future"], "\(path): every other field finds its property")
    }
    #expect(objects.count == Self.innerObjects.count)
  }

  /// The objects inside of others, by their paths, with the names of their fields.
  private func innerObjects(of facts: JSONValue, at path: String) -> [(path: String, names: Set<String>)] {
    (facts["properties"]?.object ?? [:]).flatMap { name, property in
      guard let fields = property["properties"]?.object else { return [(path: String, names: Set<String>)]() }
      return [("\(path).\(name)", Set(fields.keys))] + innerObjects(of: property, at: "\(path).\(name)")
    }
  }

  // MARK: Values

  static let enumerations: [String: [String]] = [
    "AccessRole": AccessRole.knownValues.map(\.rawValue),
    "AclRule.ScopeType": AclRule.ScopeType.knownValues.map(\.rawValue),
    "AutoDeclineMode": AutoDeclineMode.knownValues.map(\.rawValue),
    "CalendarMetadata.WorkingHours.DayOfWeek": CalendarMetadata.WorkingHours.DayOfWeek.knownValues.map(\.rawValue),
    "CalendarNotification.Method": CalendarNotification.Method.knownValues.map(\.rawValue),
    "CalendarNotification.NotificationType": CalendarNotification.NotificationType.knownValues.map(\.rawValue),
    "WatchChannel.ChannelType": WatchChannel.ChannelType.knownValues.map(\.rawValue),
    "ConferenceRequestStatus.StatusCode": ConferenceRequestStatus.StatusCode.knownValues.map(\.rawValue),
    "ConferenceSolutionKey.SolutionType": ConferenceSolutionKey.SolutionType.knownValues.map(\.rawValue),
    "EntryPoint.EntryPointType": EntryPoint.EntryPointType.knownValues.map(\.rawValue),
    "Event.EventType": Event.EventType.knownValues.map(\.rawValue),
    "Event.Gadget.Display": Event.Gadget.Display.knownValues.map(\.rawValue),
    "Event.Status": Event.Status.knownValues.map(\.rawValue),
    "Event.Transparency": Event.Transparency.knownValues.map(\.rawValue),
    "Event.Visibility": Event.Visibility.knownValues.map(\.rawValue),
    "EventAttendee.AsyncOperation": EventAttendee.AsyncOperation.knownValues.map(\.rawValue),
    "EventAttendee.ResponseStatus": EventAttendee.ResponseStatus.knownValues.map(\.rawValue),
    "EventBirthdayProperties.BirthdayType": EventBirthdayProperties.BirthdayType.knownValues.map(\.rawValue),
    "EventFocusTimeProperties.ChatStatus": EventFocusTimeProperties.ChatStatus.knownValues.map(\.rawValue),
    "EventReminder.Method": EventReminder.Method.knownValues.map(\.rawValue),
    "EventWorkingLocationProperties.LocationType": EventWorkingLocationProperties.LocationType.knownValues.map(
      \.rawValue),
    "EventsResource.Order": EventsResource.Order.knownValues.map(\.rawValue),
    "FreeBusyError.Reason": FreeBusyError.Reason.knownValues.map(\.rawValue),
    "SendUpdates": SendUpdates.knownValues.map(\.rawValue),
  ]

  @Test func everyValueOfEveryEnumerationHasAName() throws {
    for (name, facts) in table.members("enumerations") {
      let values = try #require(facts["values"]?.object).keys.sorted()
      #expect(try #require(Self.enumerations[name]).sorted() == values, "\(name)")
    }
    #expect(Self.enumerations.count == table.members("enumerations").count)
  }

  @Test func everyScopeHasAName() {
    let prefix = "https://www.googleapis.com/auth/"
    let names = Scope.ofCalendarAPI.map { $0.rawValue.replacing(prefix, with: "") }
    #expect(names.sorted() == table.members("scopes").map(\.key))
    #expect(Scope.calendarReadOnly.rawValue == prefix + "calendar.readonly")
  }
}

extension CalendarSchema {
  /// Reads a value with the decoder of Foundation.
  fileprivate init(decoding sample: JSONValue) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(sample.json()))
  }
}
