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
    if json["syncGeneration"] != nil {
      guard let generation = json.count("syncGeneration"), let revision = json.count("revision") else { return false }
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
      let fields = record["fields"]?.object, let revision = record.count("revision")
    else { return false }
    restore(
      ListEntry(calendarID: calendar, fields: fields, isDeleted: record["deleted"] == true, revision: revision),
      of: user)
    return true
  }
}

extension JSONValue {
  fileprivate var instant: Timestamp? { string.flatMap { try? Timestamp(rfc3339: $0) } }

  /// Returns a member with a count of changes: 0 if it is absent, `nil` if it is not a count.
  ///
  /// The maximum is high enough for every possible change in a sandbox, and low enough for the entity tags containing
  /// counts.
  fileprivate func count(_ name: String, from least: Int = 0) -> Int? {
    guard let value = self[name] else { return 0 }
    return value.number?.integer.flatMap { (least...(1 << 53)).contains($0) ? $0 : nil }
  }

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
      let updated = record["updated"]?.instant, let eventsUpdated = record["eventsUpdated"]?.instant,
      let revision = record.count("revision")
    else { return nil }
    var rules: [AccessRule] = []
    for rule in record["rules"]?.array ?? [] {
      guard let rule = AccessRule(rule) else { return nil }
      rules.append(rule)
    }
    let changes = record["roleChanges"] ?? [:]
    var roleChanges: [String: Int] = [:]
    for user in (changes.object ?? [:]).keys {
      guard let revision = changes.count(user) else { return nil }
      roleChanges[user] = revision
    }
    self.init(
      id: id, fields: fields, zone: zone, dataOwner: owner, isPrimary: record["primary"] == true,
      isDeleted: record["deleted"] == true, createdBy: record["createdBy"]?.string, rules: rules, updated: updated,
      revision: revision, eventsUpdated: eventsUpdated, roleChanges: roleChanges)
  }
}

extension AccessRule {
  fileprivate var record: [String: JSONValue] {
    var record = resource
    record["revision"] = .integer(Int64(revision))
    return record
  }

  fileprivate init?(_ record: JSONValue) {
    guard let scope = record["scope"]?.object, let grantee = try? Grantee(scope),
      let role = record["role"]?.string.flatMap(AccessRole.init), let revision = record.count("revision")
    else { return nil }
    self.init(grantee: grantee, role: role, revision: revision)
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
      let created = record["created"]?.instant, let updated = record["updated"]?.instant,
      let revision = record.count("revision"), let minorChanges = record.count("minorChanges"),
      let sequence = record.count("sequence", from: Int(Int32.min))
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
    self.minorChanges = minorChanges
    self.sequence = sequence
    createdBy = record["createdBy"]?.string
    self.revision = revision
    for former in record["former"]?.array ?? [] {
      guard let revision = former.count("revision") else { return nil }
      if let series = EventSeries(record: former) { formerSeries.append((revision, series)) }
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
