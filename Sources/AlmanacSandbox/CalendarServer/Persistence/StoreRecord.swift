// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// A record of the store: a line of JSON in the file, which replaces earlier lines with the same identity.
enum StoreRecord: Sendable, Hashable {
  case generation
  /// A calendar with its access rules, without its events.
  case calendar(String)
  case entry(user: String, calendar: String)
  case event(calendar: String, id: String)
}

extension CalendarStore {
  /// All records of the store, in the order in which they can be restored.
  var allRecords: [StoreRecord] {
    [.generation] + calendars.map { .calendar($0.id) }
      + accounts.values.flatMap { account in
        account.entries.map { .entry(user: account.email, calendar: $0.calendarID) }
      }
      + calendars.flatMap { calendar in
        calendar.events.events.map { .event(calendar: calendar.id, id: $0.id) }
      }
  }

  /// Returns the JSON of a record, or `nil` if the store has no such object.
  func json(of record: StoreRecord) -> JSONValue? {
    switch record {
    case .generation: ["syncGeneration": .integer(Int64(syncTokens.generation)), "revision": .integer(Int64(revision))]
    case .calendar(let id): calendar(id).map { ["calendar": .object($0.record)] }
    case .entry(let user, let id):
      accounts[user]?.entry(id).map { entry in
        [
          "entry": [
            "user": .string(user), "calendar": .string(id), "fields": .object(entry.fields),
            "deleted": .bool(entry.isDeleted), "revision": .integer(Int64(entry.revision)),
          ]
        ]
      }
    case .event(let calendarID, let id):
      calendar(calendarID)?.events[id].map { ["event": .object($0.record), "calendar": .string(calendarID)] }
    }
  }

  /// Restores a record.
  ///
  /// Returns `false` if the record is invalid.
  mutating func restore(_ json: JSONValue) -> Bool {
    if let generation = json["syncGeneration"]?.number?.integer, let revision = json["revision"]?.number?.integer {
      syncTokens.generation = generation
      reach(revision)
      return true
    }
    if let record = json["event"] {
      guard let event = StoredEvent(record), let slot = json["calendar"]?.string.flatMap(slot) else { return false }
      restore(event, in: slot)
      return true
    }
    if let record = json["calendar"] {
      guard let calendar = StoredCalendar(record) else { return false }
      restore(calendar)
      return true
    }
    guard let record = json["entry"], let user = record["user"]?.string, let calendar = record["calendar"]?.string,
      let fields = record["fields"]?.object
    else { return false }
    restore(
      ListEntry(
        calendarID: calendar, fields: fields, isDeleted: record["deleted"] == true,
        revision: record["revision"]?.number?.integer ?? 0), of: user)
    return true
  }
}

extension JSONValue {
  fileprivate var instant: Timestamp? { string.flatMap { try? Timestamp(rfc3339: $0) } }

  /// Returns a string or `null`.
  fileprivate static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension StoredCalendar {
  fileprivate var record: [String: JSONValue] {
    [
      "id": .string(id), "fields": .object(fields), "timeZone": .string(zone.identifier),
      "dataOwner": .string(dataOwner), "primary": .bool(isPrimary), "deleted": .bool(isDeleted),
      "createdBy": .optional(createdBy), "updated": .string(updated.rfc3339()), "revision": .integer(Int64(revision)),
      "eventsUpdated": .string(eventsUpdated.rfc3339()),
      "roleChanges": .object(roleChanges.mapValues { .integer(Int64($0)) }),
      "rules": .array(rules.map { .object($0.record) }),
    ]
  }

  fileprivate init?(_ record: JSONValue) {
    guard let id = record["id"]?.string, let fields = record["fields"]?.object,
      let zone = record["timeZone"]?.string.flatMap(Zone.named), let owner = record["dataOwner"]?.string,
      let updated = record["updated"]?.instant, let eventsUpdated = record["eventsUpdated"]?.instant
    else { return nil }
    let rules = (record["rules"]?.array ?? []).compactMap { rule -> AccessRule? in
      guard let scope = rule["scope"]?.object, let grantee = try? AccessRule.Grantee(scope),
        let role = rule["role"]?.string.flatMap(AccessRole.init)
      else { return nil }
      return AccessRule(grantee: grantee, role: role, revision: rule["revision"]?.number?.integer ?? 0)
    }
    self.init(
      id: id, fields: fields, zone: zone, dataOwner: owner, isPrimary: record["primary"] == true,
      isDeleted: record["deleted"] == true, createdBy: record["createdBy"]?.string, rules: rules, updated: updated,
      revision: record["revision"]?.number?.integer ?? 0, eventsUpdated: eventsUpdated,
      roleChanges: (record["roleChanges"]?.object ?? [:]).compactMapValues { $0.number?.integer })
  }
}

extension AccessRule {
  fileprivate var record: [String: JSONValue] {
    var record = resource
    record["revision"] = .integer(Int64(revision))
    return record
  }
}

extension StoredEvent {
  fileprivate var record: [String: JSONValue] {
    var record: [String: JSONValue] = [
      "id": .string(id), "fields": .object(fields), "start": start.record, "end": end.record,
      "cancelled": .bool(isCancelled), "created": .string(created.rfc3339()), "updated": .string(updated.rfc3339()),
      "minorChanges": .integer(Int64(minorChanges)), "sequence": .integer(Int64(sequence)),
      "createdBy": .optional(createdBy), "revision": .integer(Int64(revision)),
    ]
    if let exception {
      record["exception"] = ["series": .string(exception.seriesID), "start": exception.originalStart.record]
    }
    record["former"] = .array(
      formerSeries.map { $0.series.record.applying(mergePatch: ["revision": .integer(Int64($0.revision))]) })
    return record
  }

  fileprivate init?(_ record: JSONValue) {
    guard let id = record["id"]?.string, let fields = record["fields"]?.object,
      let start = EventTime(record: record["start"]), let end = EventTime(record: record["end"]),
      let created = record["created"]?.instant, let updated = record["updated"]?.instant
    else { return nil }
    self.init(id: id, fields: fields, start: start, end: end, created: created, updated: updated)
    let lines = (fields["recurrence"]?.array ?? []).compactMap(\.string)
    if !lines.isEmpty { series = try? EventSeries(start: start, end: end, lines: lines) }
    if let series = record["exception"]?["series"]?.string,
      let start = EventTime(record: record["exception"]?["start"])
    {
      exception = Exception(seriesID: series, originalStart: start)
    }
    isCancelled = record["cancelled"] == true
    minorChanges = record["minorChanges"]?.number?.integer ?? 0
    sequence = record["sequence"]?.number?.integer ?? 0
    createdBy = record["createdBy"]?.string
    revision = record["revision"]?.number?.integer ?? 0
    formerSeries = (record["former"]?.array ?? []).compactMap { former in
      guard let series = EventSeries(record: former), let revision = former["revision"]?.number?.integer else {
        return nil
      }
      return (revision, series)
    }
  }
}

extension EventTime {
  var record: JSONValue { json(shownIn: .utc) }

  init?(record: JSONValue?) {
    guard let time = try? EventTime(record, "", isSeries: false, in: .utc) else { return nil }
    self = time
  }
}
