// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// A calendar with its access rules and events.
struct StoredCalendar: Sendable {
  let id: String
  /// The writable fields of `Calendar`.
  var fields: [String: JSONValue]
  var zone: Zone { didSet { events.use(zone) } }
  var dataOwner: String
  var isPrimary = false
  var isDeleted = false
  /// The identifier of the creating client.
  var createdBy: String?
  var rules: [AccessRule]
  var events = EventTable()
  var updated: Timestamp
  /// The revision of the last change to the calendar itself.
  var revision = 0
  /// The time of the last change to an event.
  var eventsUpdated: Timestamp
  /// The revisions at which users' roles changed.
  ///
  /// Older sync tokens of these users have expired.
  var roleChanges: [String: Int] = [:]

  var etag: String { "\"\(updated.secondsSince1970 * 1_000_000 + Int64(revision))\"" }
  var summary: String { fields["summary"]?.string ?? "" }

  /// Returns the role of a user: the highest granted by a rule.
  func role(of user: String, _ groups: GroupDirectory) -> AccessRole {
    rules.lazy.filter { $0.applies(to: user, groups) }.map(\.role).max() ?? .none
  }

  /// Whether everyone can read the calendar.
  var isPublic: Bool { rules.contains { $0.grantee == .everyone && $0.role >= .reader } }

  /// The fields shared by the calendar and its list entries.
  var commonFields: [String: JSONValue] {
    var result: [String: JSONValue] = [
      "id": .string(id), "timeZone": .string(zone.identifier),
      "conferenceProperties": ["allowedConferenceSolutionTypes": ["hangoutsMeet"]],
    ]
    if !isPrimary { result["dataOwner"] = .string(dataOwner) }
    return result
  }

  /// The `Calendar` resource.
  var resource: [String: JSONValue] {
    var result = fields.merging(commonFields) { own, common in own == .null ? common : common }
    result["kind"] = "calendar#calendar"
    result["etag"] = .string(etag)
    return result
  }
}
