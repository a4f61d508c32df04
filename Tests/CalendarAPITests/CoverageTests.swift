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
    "acl.delete": { try await $0.acl.delete(calendarId: "c", ruleId: "r") },
    "acl.get": { _ = try await $0.acl.get(calendarId: "c", ruleId: "r") },
    "acl.insert": { try await $0.acl.insert(AclRule(), calendarId: "c", sendNotifications: true) },
    "acl.list": { _ = try await $0.acl.list(calendarId: "c", aclList) },
    "acl.patch": { try await $0.acl.patch(.leave, calendarId: "c", ruleId: "r", sendNotifications: true) },
    "acl.update": { try await $0.acl.update(AclRule(), calendarId: "c", ruleId: "r", sendNotifications: true) },
    "acl.watch": { try await $0.acl.watch(Channel(), calendarId: "c", aclList) },
    "calendarList.delete": { try await $0.calendarList.delete(calendarId: "c") },
    "calendarList.get": { _ = try await $0.calendarList.get(calendarId: "c") },
    "calendarList.insert": { try await $0.calendarList.insert(CalendarListEntry(), colorRgbFormat: true) },
    "calendarList.list": { _ = try await $0.calendarList.list(calendarList) },
    "calendarList.patch": { try await $0.calendarList.patch(.leave, calendarId: "c", colorRgbFormat: true) },
    "calendarList.update": {
      try await $0.calendarList.update(CalendarListEntry(), calendarId: "c", colorRgbFormat: true)
    },
    "calendarList.watch": { try await $0.calendarList.watch(Channel(), calendarList) },
    "calendars.clear": { try await $0.calendars.clear(calendarId: "c") },
    "calendars.delete": { try await $0.calendars.delete(calendarId: "c") },
    "calendars.get": { _ = try await $0.calendars.get(calendarId: "c") },
    "calendars.insert": { try await $0.calendars.insert(CalendarMetadata()) },
    "calendars.patch": { try await $0.calendars.patch(.leave, calendarId: "c") },
    "calendars.transferOwnership": {
      try await $0.calendars.transferOwnership(calendarId: "c", newDataOwner: "a@b", useAdminAccess: true)
    },
    "calendars.update": { try await $0.calendars.update(CalendarMetadata(), calendarId: "c") },
    "channels.stop": { try await $0.channels.stop(Channel()) },
    "colors.get": { _ = try await $0.colors.get() },
    "events.delete": {
      try await $0.events.delete(calendarId: "c", eventId: "e", sendNotifications: true, sendUpdates: .all)
    },
    "events.get": {
      _ = try await $0.events.get(
        calendarId: "c", eventId: "e", alwaysIncludeEmail: true, maxAttendees: 1, timeZone: "UTC")
    },
    "events.import": {
      try await $0.events.import(
        Event(), calendarId: "c", conferenceDataVersion: 1, eventLabelVersion: 1, supportsAttachments: true)
    },
    "events.insert": {
      try await $0.events.insert(
        Event(), calendarId: "c",
        .init(
          conferenceDataVersion: 1, eventLabelVersion: 1, maxAttendees: 1, sendNotifications: true,
          sendUpdates: .externalOnly, supportsAttachments: true))
    },
    "events.instances": {
      _ = try await $0.events.instances(
        calendarId: "c", eventId: "e",
        .init(
          alwaysIncludeEmail: true, maxAttendees: 1, maxResults: 2, originalStart: "2026-03-01", pageToken: "p",
          showDeleted: true, timeMax: now, timeMin: now, timeZone: "UTC"))
    },
    "events.list": { _ = try await $0.events.list(calendarId: "c", eventsList) },
    "events.move": {
      try await $0.events.move(
        calendarId: "c", eventId: "e", destination: "d", sendNotifications: false, sendUpdates: SendUpdates.none)
    },
    "events.patch": { try await $0.events.patch(.leave, calendarId: "c", eventId: "e", eventsUpdate) },
    "events.quickAdd": {
      try await $0.events.quickAdd(calendarId: "c", text: "Lunch", sendNotifications: true, sendUpdates: .all)
    },
    "events.update": { try await $0.events.update(Event(), calendarId: "c", eventId: "e", eventsUpdate) },
    "events.watch": { try await $0.events.watch(Channel(), calendarId: "c", eventsList) },
    "freebusy.query": { _ = try await $0.freebusy.query(FreeBusyRequest()) },
    "settings.get": { _ = try await $0.settings.get(setting: "s") },
    "settings.list": { _ = try await $0.settings.list(settingsList) },
    "settings.watch": { try await $0.settings.watch(Channel(), settingsList) },
  ]

  private static let now = Timestamp(secondsSince1970: 1_772_323_200)
  private static let aclList = AclResource.ListQuery(maxResults: 1, pageToken: "p", showDeleted: true, syncToken: "s")
  private static let settingsList = SettingsResource.ListQuery(maxResults: 1, pageToken: "p", syncToken: "s")
  private static let calendarList = CalendarListResource.ListQuery(
    maxResults: 1, minAccessRole: .writerWithoutPrivateAccess, pageToken: "p", showDeleted: true, showHidden: true,
    showOwnOrganizationOnly: true, syncToken: "s")
  private static let eventsList = EventsResource.ListQuery(
    alwaysIncludeEmail: true, eventTypes: [.default, "new"], iCalUID: "u", maxAttendees: 1, maxResults: 2500,
    orderBy: .updated, pageToken: "p", privateExtendedProperty: ["a=1", "b=2"], q: "text",
    sharedExtendedProperty: ["c=3"], showDeleted: true, showHiddenInvitations: true, singleEvents: true, syncToken: "s",
    timeMax: now, timeMin: now, timeZone: "UTC", updatedMin: now)
  private static let eventsUpdate = EventsResource.UpdateQuery(
    alwaysIncludeEmail: true, conferenceDataVersion: 1, eventLabelVersion: 1, maxAttendees: 1, sendNotifications: true,
    sendUpdates: .all, supportsAttachments: true)
  private static let ids = ["calendarId": "c", "eventId": "e", "ruleId": "r", "setting": "s"]

  @Test func everyMethodIsSentWithEveryParameter() async throws {
    var methods = 0
    var parameters = 0
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
      #expect((request.body != nil) == !["GET", "DELETE"].contains(request.method.rawValue), "\(id)")
      methods += 1
      parameters += pathParameters.count + query.count
    }
    print("methods: \(methods) of \(table.members("methods").count), parameters: \(parameters)")
    #expect(methods == 38)
    #expect(parameters == 154)
    #expect(Set(Self.calls.keys) == Set(table.members("methods").map(\.key)))
  }

  // MARK: Schemas

  static let schemas: [String: any CalendarSchema.Type] = [
    "Acl": Acl.self, "AclRule": AclRule.self, "Calendar": CalendarMetadata.self, "CalendarList": CalendarList.self,
    "CalendarListEntry": CalendarListEntry.self, "CalendarNotification": CalendarNotification.self,
    "Channel": Channel.self, "ColorDefinition": ColorDefinition.self, "Colors": Colors.self,
    "ConferenceData": ConferenceData.self, "ConferenceParameters": ConferenceParameters.self,
    "ConferenceParametersAddOnParameters": ConferenceParametersAddOnParameters.self,
    "ConferenceProperties": ConferenceProperties.self, "ConferenceRequestStatus": ConferenceRequestStatus.self,
    "ConferenceSolution": ConferenceSolution.self, "ConferenceSolutionKey": ConferenceSolutionKey.self,
    "CreateConferenceRequest": CreateConferenceRequest.self, "EntryPoint": EntryPoint.self, "Error": FreeBusyError.self,
    "Event": Event.self, "EventAttachment": EventAttachment.self, "EventAttendee": EventAttendee.self,
    "EventBirthdayProperties": EventBirthdayProperties.self, "EventDateTime": EventDateTime.self,
    "EventFocusTimeProperties": EventFocusTimeProperties.self, "EventLabel": EventLabel.self,
    "EventOutOfOfficeProperties": EventOutOfOfficeProperties.self, "EventReminder": EventReminder.self,
    "EventWorkingLocationProperties": EventWorkingLocationProperties.self, "Events": Events.self,
    "FreeBusyCalendar": FreeBusyCalendar.self, "FreeBusyGroup": FreeBusyGroup.self,
    "FreeBusyRequest": FreeBusyRequest.self, "FreeBusyRequestItem": FreeBusyRequestItem.self,
    "FreeBusyResponse": FreeBusyResponse.self, "LabelProperties": LabelProperties.self, "Setting": Setting.self,
    "Settings": Settings.self, "TimePeriod": TimePeriod.self,
  ]

  @Test func everyFieldOfEverySchemaHasAProperty() throws {
    var topLevel = 0
    for (name, facts) in table.members("schemas") {
      let type = try #require(Self.schemas[name], "no type for \(name)")
      let names = Set(try #require(facts["properties"]?.object).keys)
      #expect(Set(type.fieldNames) == names, "\(name)")
      #expect(type.fieldNames.count == names.count, "\(name)")
      let sample = table.sample(schema: name)
      let value = try type.init(json: sample.json())
      #expect(value.additionalFields.keys.sorted() == ["future"], "\(name): every other field finds its property")
      #expect(try JSONValue(json: value.json()) == sample, "\(name): nothing is lost")
      topLevel += names.count
    }
    print("schemas: \(Self.schemas.count), fields: \(topLevel)")
    #expect(Self.schemas.count == 39)
    #expect(topLevel == 215)
  }

  @Test func everyFieldOfEveryInnerObjectHasAProperty() throws {
    let objects = table.members("schemas").flatMap { innerObjects(of: $0.value, at: $0.key) }
    var count = 0
    for (path, names) in objects {
      let read = try #require(Self.innerObjects[path], "no type for \(path)")
      let schema = path.prefix { $0 != "." }
      let object = try #require(try read(table.sample(schema: String(schema)).json()), "\(path)")
      #expect(Set(type(of: object).fieldNames) == names, "\(path)")
      #expect(object.additionalFields.keys.sorted() == ["future"], "\(path): every other field finds its property")
      count += type(of: object).fieldNames.count
    }
    print("inner objects: \(objects.count), fields: \(count)")
    #expect(objects.count == Self.innerObjects.count)
    #expect(count == 36)
  }

  /// The objects inside of others, by their paths, with the names of their fields.
  private func innerObjects(of facts: JSONValue, at path: String) -> [(path: String, names: Set<String>)] {
    (facts["properties"]?.object ?? [:]).flatMap { name, property in
      guard let fields = property["properties"]?.object else { return [(path: String, names: Set<String>)]() }
      return [("\(path).\(name)", Set(fields.keys))] + innerObjects(of: property, at: "\(path).\(name)")
    }
  }

  @Test func everyPropertyOfAnEnumerationHasItsType() throws {
    let properties = table.members("schemas").flatMap { enumeratedProperties(of: $0.value, at: $0.key) }
    for (path, enumeration) in properties {
      let property = try #require(Self.enumeratedProperties[path], "no property for \(path)")
      #expect(property.enumeration == enumeration, "\(path)")
      let schema = String(path.prefix { $0 != "." })
      #expect(try property.isRead(table.sample(schema: schema).json()), "\(path) is read into it")
    }
    #expect(properties.count == 26)
    #expect(properties.count == Self.enumeratedProperties.count)
  }

  private func enumeratedProperties(of facts: JSONValue, at path: String) -> [(path: String, enumeration: String)] {
    (facts["properties"]?.object ?? [:]).flatMap { name, property in
      let own = property["enumeration"]?.string.map { [(path: "\(path).\(name)", enumeration: $0)] } ?? []
      return own + enumeratedProperties(of: property, at: "\(path).\(name)")
    }
  }

  @Test func everySchemaIsCodable() throws {
    for (name, type) in Self.schemas {
      let sample = table.sample(schema: name)
      #expect(try roundTrip(type, sample) == sample, "\(name)")
    }
  }

  private func roundTrip<Value: CalendarSchema>(_: Value.Type, _ sample: JSONValue) throws -> JSONValue {
    let value = try JSONDecoder().decode(Value.self, from: Data(sample.json()))
    #expect(value == (try Value(json: sample.json())))
    return try JSONValue(json: [UInt8](JSONEncoder().encode(value)))
  }

  // MARK: Values

  static let enumerations: [String: [String]] = [
    "AccessRole": AccessRole.knownValues.map(\.rawValue),
    "AclRule.ScopeType": AclRule.ScopeType.knownValues.map(\.rawValue),
    "AutoDeclineMode": AutoDeclineMode.knownValues.map(\.rawValue),
    "CalendarMetadata.WorkingHours.DayOfWeek": CalendarMetadata.WorkingHours.DayOfWeek.knownValues.map(\.rawValue),
    "CalendarNotification.Method": CalendarNotification.Method.knownValues.map(\.rawValue),
    "CalendarNotification.NotificationType": CalendarNotification.NotificationType.knownValues.map(\.rawValue),
    "Channel.ChannelType": Channel.ChannelType.knownValues.map(\.rawValue),
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
    var count = 0
    for (name, facts) in table.members("enumerations") {
      let values = try #require(facts["values"]?.object).keys.sorted()
      #expect(try #require(Self.enumerations[name]).sorted() == values, "\(name)")
      count += values.count
    }
    print("enumerations: \(Self.enumerations.count), values: \(count)")
    #expect(Self.enumerations.count == table.members("enumerations").count)
  }

  @Test func everyScopeHasAName() {
    let prefix = "https://www.googleapis.com/auth/"
    let names = CalendarScope.knownValues.map { $0.rawValue.replacing(prefix, with: "") }
    #expect(names.sorted() == table.members("scopes").map(\.key))
    #expect(names.count == 18)
    #expect(CalendarScope.readOnly.rawValue == prefix + "calendar.readonly")
  }
}
