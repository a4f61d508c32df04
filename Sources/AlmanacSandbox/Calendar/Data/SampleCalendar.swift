// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// A calendar on the user's list, with its events.
struct SampleCalendar: Sendable {
  /// What the user may do with it, least first.
  enum Role: String, Sendable, CaseIterable {
    case freeBusyReader, reader, writerWithoutPrivateAccess, writer, owner
  }

  let id: String
  var summary: String
  var description: String?
  var location: String?
  var zone: Zone
  let colorID: String
  var role = Role.owner
  var isPrimary = false
  var isSelected = true
  var isHidden = false
  var isDeleted = false
  var events: [SampleEvent] = []
  var updated: Timestamp
  /// The number of the latest change; 0 for a calendar as it came.
  var revision = 0

  var etag: String { "\"\(updated.secondsSince1970 * 1_000_000 + Int64(revision))\"" }

  /// `Calendar`.
  var resource: JSONValue {
    .object(of: [
      "kind": "calendar#calendar", "etag": .string(etag), "id": .string(id), "summary": .string(summary),
      "description": description.map { .string($0) }, "location": location.map { .string($0) },
      "timeZone": .string(zone.identifier),
      "conferenceProperties": ["allowedConferenceSolutionTypes": ["hangoutsMeet"]],
    ])
  }

  /// `CalendarListEntry`.
  ///
  /// A deleted one keeps only what tells which it was.
  var json: JSONValue {
    if isDeleted {
      return ["kind": "calendar#calendarListEntry", "etag": .string(etag), "id": .string(id), "deleted": true]
    }
    let color = CalendarColors.calendar.first { $0.id == colorID }
    return .object(of: [
      "kind": "calendar#calendarListEntry", "etag": .string(etag), "id": .string(id), "summary": .string(summary),
      "description": description.map { .string($0) }, "location": location.map { .string($0) },
      "timeZone": .string(zone.identifier), "colorId": .string(colorID),
      "backgroundColor": color.map { .string($0.background) },
      "foregroundColor": color.map { _ in .string(CalendarColors.foreground) }, "accessRole": .string(role.rawValue),
      "selected": isSelected ? true : nil, "hidden": isHidden ? true : nil, "primary": isPrimary ? true : nil,
      "defaultReminders": role == .owner ? [["method": "popup", "minutes": 10]] : [],
      "notificationSettings": isPrimary
        ? ["notifications": [["type": "eventCreation", "method": "email"], ["type": "agenda", "method": "email"]]]
        : nil,
      "conferenceProperties": ["allowedConferenceSolutionTypes": ["hangoutsMeet"]],
    ])
  }
}
