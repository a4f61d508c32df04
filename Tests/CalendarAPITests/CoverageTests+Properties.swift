// SPDX-License-Identifier: Apache-2.0

import CalendarAPI

extension CoverageTests {
  /// Reads the object inside of a schema that a path of the table leads to.
  typealias InnerObject = @Sendable ([UInt8]) throws -> (any CalendarSchema)?

  /// The objects inside of schemas that are not schemas themselves.
  static let innerObjects: [String: InnerObject] = [
    "AclRule.scope": { try AclRule(json: $0).scope },
    "Calendar.workingHours": { try CalendarMetadata(json: $0).workingHours },
    "Calendar.workingHours.availableTimes": { try CalendarMetadata(json: $0).workingHours?.availableTimes?.first },
    "CalendarListEntry.notificationSettings": { try CalendarListEntry(json: $0).notificationSettings },
    "Event.creator": { try Event(json: $0).creator },
    "Event.extendedProperties": { try Event(json: $0).extendedProperties },
    "Event.gadget": { try Event(json: $0).gadget },
    "Event.organizer": { try Event(json: $0).organizer },
    "Event.reminders": { try Event(json: $0).reminders },
    "Event.source": { try Event(json: $0).source },
    "EventWorkingLocationProperties.customLocation": { try EventWorkingLocationProperties(json: $0).customLocation },
    "EventWorkingLocationProperties.officeLocation": { try EventWorkingLocationProperties(json: $0).officeLocation },
  ]

  /// The properties whose values have names.
  static let enumeratedProperties: [String: EnumeratedProperty] = [
    "AclRule.role": .init(\AclRule.role),
    "AclRule.scope.type": .init(\AclRule.scope?.type),
    "Calendar.workingHours.availableTimes.dayOfWeek": .init(
      \CalendarMetadata.workingHours?.availableTimes?.first?.dayOfWeek),
    "CalendarListEntry.accessRole": .init(\CalendarListEntry.accessRole),
    "CalendarNotification.method": .init(\CalendarNotification.method),
    "CalendarNotification.type": .init(\CalendarNotification.type),
    "Channel.type": .init(\WatchChannel.type),
    "ConferenceProperties.allowedConferenceSolutionTypes": .init(\ConferenceProperties.allowedConferenceSolutionTypes),
    "ConferenceRequestStatus.statusCode": .init(\ConferenceRequestStatus.statusCode),
    "ConferenceSolutionKey.type": .init(\ConferenceSolutionKey.type),
    "EntryPoint.entryPointType": .init(\EntryPoint.entryPointType),
    "Error.reason": .init(\FreeBusyError.reason),
    "Event.eventType": .init(\Event.eventType),
    "Event.gadget.display": .init(\Event.gadget?.display),
    "Event.status": .init(\Event.status),
    "Event.transparency": .init(\Event.transparency),
    "Event.visibility": .init(\Event.visibility),
    "EventAttendee.asyncOperation": .init(\EventAttendee.asyncOperation),
    "EventAttendee.responseStatus": .init(\EventAttendee.responseStatus),
    "EventBirthdayProperties.type": .init(\EventBirthdayProperties.type),
    "EventFocusTimeProperties.autoDeclineMode": .init(\EventFocusTimeProperties.autoDeclineMode),
    "EventFocusTimeProperties.chatStatus": .init(\EventFocusTimeProperties.chatStatus),
    "EventOutOfOfficeProperties.autoDeclineMode": .init(\EventOutOfOfficeProperties.autoDeclineMode),
    "EventReminder.method": .init(\EventReminder.method),
    "EventWorkingLocationProperties.type": .init(\EventWorkingLocationProperties.type),
    "Events.accessRole": .init(\EventsPage.accessRole),
  ]
}

/// A property whose values have names.
struct EnumeratedProperty: Sendable {
  /// The name of the type of a value, without that of the module.
  let enumeration: String
  /// Whether the property is set after its schema was read.
  let isRead: @Sendable ([UInt8]) throws -> Bool

  init<Schema: CalendarSchema, Value>(_ property: any KeyPath<Schema, Value?> & Sendable) {
    let type = String(reflecting: Value.self).replacing("Swift.Array<", with: "").replacing(">", with: "")
    enumeration = type.replacing("CalendarAPI.", with: "")
    isRead = { try Schema(json: $0)[keyPath: property] != nil }
  }
}
