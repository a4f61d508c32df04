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
}
