// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

/// A calendar on a user's list, with the user's settings for it.
struct ListEntry: Sendable {
  let calendarID: String
  /// The writable fields of `CalendarListEntry`.
  var fields: [String: JSONValue]
  var isDeleted = false
  var revision = 0

  var isHidden: Bool { fields["hidden"] == true }

  /// Returns the `CalendarListEntry` resource.
  ///
  /// A deleted entry has only its identifying fields.
  func resource(of calendar: StoredCalendar, role: AccessRole) -> [String: JSONValue] {
    let revision = max(revision, calendar.revision)
    let seconds = calendar.updated.secondsSince1970
    var result: [String: JSONValue] = [
      "kind": "calendar#calendarListEntry", "id": .string(calendarID),
      "etag": .string("\"\(seconds * 1_000_000 + Int64(revision))\""),
    ]
    if isDeleted || calendar.isDeleted {
      result["deleted"] = true
      return result
    }
    result.merge(calendar.commonFields) { $1 }
    for name in ["summary", "description", "location", "autoAcceptInvitations"] {
      result[name] = calendar.fields[name]
    }
    result.merge(fields) { $1 }
    for name in ["selected", "hidden"] where fields[name] == false { result[name] = nil }
    result["accessRole"] = .string(role.rawValue)
    if calendar.isPrimary, role == .owner { result["primary"] = true }
    return result
  }

  /// Returns the fields of a new entry.
  static func defaults(colorID: String, role: AccessRole, isPrimary: Bool = false) -> [String: JSONValue] {
    var fields = CalendarColors.fields(of: colorID)
    fields["selected"] = true
    fields["defaultReminders"] = role == .owner ? [["method": "popup", "minutes": 10]] : []
    if isPrimary {
      fields["notificationSettings"] = [
        "notifications": [["type": "eventCreation", "method": "email"], ["type": "agenda", "method": "email"]]
      ]
    }
    return fields
  }
}
