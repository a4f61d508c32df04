// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

extension CalendarStore {
  /// Creates the initial calendars, from the configured seed or the samples.
  init(_ configuration: Sandbox.Configuration, now: Timestamp) {
    // The configuration checked the seed when it was set.
    if let seed = configuration.seed, let store = try? CalendarStore(seed, now: now) {
      self = store
    } else {
      self.init(user: configuration.user, otherUsers: configuration.otherUsers, now: now)
    }
  }

  /// Creates the sample calendars for the first user, and an empty primary calendar for every other user.
  init(user: Sandbox.User, otherUsers: [Sandbox.User], now: Timestamp) {
    // Google's times of changes have milliseconds, and entity tags depend on them.
    let now = Timestamp(secondsSince1970: now.secondsSince1970)
    let zone = Zone.named(user.timeZone) ?? .utc
    var account = CalendarAccount(user)
    let plans = CalendarPlan.european + CalendarPlan.american + CalendarPlan.asian + CalendarPlan.special
    let samples =
      [CalendarPlan.primary.calendar(id: user.email, now: now, zone: zone, isPrimary: true)]
      + plans.map { $0.calendar(id: Self.sampleID($0.key), now: now) }
    for sample in samples {
      add(StoredCalendar(sample, user: user))
      account.put(ListEntry(sample))
    }
    add(account)
    for user in otherUsers where accounts[user.email] == nil { add(user, now: now) }
  }

  /// Adds the users without a calendar: service accounts, and users added after a folder was written.
  mutating func addMissing(_ users: [Sandbox.User], now: Timestamp) {
    for user in users where slot(user.email) == nil { add(user, now: now) }
  }

  /// Adds a user with an empty primary calendar.
  mutating func add(_ user: Sandbox.User, now: Timestamp) {
    var account = accounts[user.email] ?? CalendarAccount(user)
    account.put(
      ListEntry(
        calendarID: user.email, fields: ListEntry.defaults(colorID: "14", role: .owner, isPrimary: true)))
    add(account)
    add(
      StoredCalendar(
        id: user.email, fields: ["summary": .string(user.email)], zone: Zone.named(user.timeZone) ?? .utc,
        dataOwner: user.email, isPrimary: true, rules: [AccessRule(grantee: .user(user.email), role: .owner)],
        updated: now, eventsUpdated: now))
  }

  /// Returns a sample calendar's identifier, which for a published calendar contains its name.
  private static func sampleID(_ key: String) -> String {
    key.contains("#") ? "\(key)@group.v.calendar.example" : id(for: key)
  }
}

extension StoredCalendar {
  fileprivate init(_ sample: SampleCalendar, user: Sandbox.User) {
    let others = "owner@calendar.example"
    var rules = [AccessRule(grantee: .user(user.email), role: sample.role)]
    if sample.role != .owner { rules.insert(AccessRule(grantee: .user(others), role: .owner), at: 0) }
    let fields: [String: JSONValue?] = [
      "summary": .string(sample.summary), "description": sample.description.map { .string($0) },
      "location": sample.location.map { .string($0) },
    ]
    self.init(
      id: sample.id, fields: fields.compactMapValues(\.self), zone: sample.zone,
      dataOwner: sample.role == .owner ? user.email : others, isPrimary: sample.isPrimary,
      isDeleted: sample.isDeleted, rules: rules, updated: sample.updated,
      eventsUpdated: sample.events.map(\.updated).max() ?? sample.updated)
    for event in sample.events { events.put(StoredEvent(event, in: sample), in: zone) }
  }
}

extension ListEntry {
  fileprivate init(_ sample: SampleCalendar) {
    self.init(
      calendarID: sample.id,
      fields: ListEntry.defaults(colorID: sample.colorID, role: sample.role, isPrimary: sample.isPrimary),
      isDeleted: sample.isDeleted)
    if !sample.isSelected { fields["selected"] = nil }
    if sample.isHidden { fields["hidden"] = true }
  }
}

extension StoredEvent {
  fileprivate init(_ sample: SampleEvent, in calendar: SampleCalendar) {
    self.init(
      id: sample.id, fields: sample.fields(in: calendar), start: EventTime(sample.start, in: calendar.zone),
      end: EventTime(sample.end, in: calendar.zone), created: sample.created, updated: sample.updated)
    isCancelled = sample.isCancelled
    exception = sample.exception.map {
      Exception(seriesID: $0.seriesID, originalStart: EventTime($0.originalStart, in: calendar.zone))
    }
    series = sample.rule.flatMap { try? EventSeries(start: start, end: end, lines: ["RRULE:" + $0]) }
  }
}

extension EventTime {
  fileprivate init(_ moment: Moment, in zone: Zone) {
    switch moment {
    case .day(let date): self = .day(date)
    case .time(_, _, let zone): self = .time(moment.instant(in: zone), zone)
    }
  }
}

/// A calendar on the user's list, with its events.
struct SampleCalendar: Sendable {
  let id: String
  var summary: String
  var description: String?
  var location: String?
  var zone: Zone
  let colorID: String
  var role = AccessRole.owner
  var isPrimary = false
  var isSelected = true
  var isHidden = false
  var isDeleted = false
  var events: [SampleEvent] = []
  var updated: Timestamp
}
