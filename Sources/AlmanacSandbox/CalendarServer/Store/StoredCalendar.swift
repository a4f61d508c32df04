// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// A calendar with its access rules and events.
struct StoredCalendar: Sendable {
  let id: String
  /// The fields of `Calendar` that can be written.
  var fields: [String: JSONValue]
  var zone: Zone
  var dataOwner: String
  var isPrimary = false
  var isDeleted = false
  /// The client that created it.
  var createdBy: String?
  var rules: [AccessRule]
  var events = EventTable()
  var updated: Timestamp
  /// The revision of the last change of the calendar itself.
  var revision = 0
  /// The last change of an event.
  var eventsUpdated: Timestamp
  /// The revisions at which the roles of users changed: sync tokens that are older have expired.
  var roleChanges: [String: Int] = [:]

  var etag: String { "\"\(updated.secondsSince1970 * 1_000_000 + Int64(revision))\"" }
  var summary: String { fields["summary"]?.string ?? "" }

  /// The role of a user: the highest that a rule grants.
  func role(of user: String, _ groups: GroupDirectory) -> AccessRole {
    rules.lazy.filter { $0.applies(to: user, groups) }.map(\.role).max() ?? .none
  }

  /// Whether everyone may read it.
  var isPublic: Bool { rules.contains { $0.grantee == .everyone && $0.role >= .reader } }

  /// What the calendar and its entry in a list have in common.
  var commonFields: [String: JSONValue] {
    var result: [String: JSONValue] = [
      "id": .string(id), "timeZone": .string(zone.identifier),
      "conferenceProperties": ["allowedConferenceSolutionTypes": ["hangoutsMeet"]],
    ]
    if !isPrimary { result["dataOwner"] = .string(dataOwner) }
    return result
  }

  /// `Calendar`.
  var resource: [String: JSONValue] {
    var result = fields.merging(commonFields) { own, common in own == .null ? common : common }
    result["kind"] = "calendar#calendar"
    result["etag"] = .string(etag)
    return result
  }
}
