// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// The data of the Calendar API: the accounts of all users, their calendars, and the events.
///
/// Every change has a revision. Synchronizations find changes by revision. The store keeps deleted objects and marks them as
/// deleted.
struct CalendarStore: Sendable {
  private(set) var accounts: [String: CalendarAccount] = [:]
  private(set) var calendars: [StoredCalendar] = []
  private var slots: [String: Int] = [:]
  /// The revision of the last change.
  private(set) var revision = 0
  var syncTokens = SyncTokenPolicy()
  var channels = ChannelTable()
  var groups = GroupDirectory()
  /// The resources changed by the current call.
  var touched: Set<WatchedResource> = []
  /// The records changed since ``takeRecords()`` was last called.
  private var changed: Set<StoreRecord> = []

  /// Returns the index of a calendar in ``calendars``.
  func slot(_ id: String) -> Int? { slots[id] }

  func calendar(_ id: String) -> StoredCalendar? { slots[id].map { calendars[$0] } }

  /// Returns the role of a user in a calendar: the highest granted by a rule.
  func role(of user: String, in calendar: StoredCalendar) -> AccessRole { calendar.role(of: user, groups) }

  /// Returns the records changed since the last call.
  mutating func takeRecords() -> [StoreRecord] {
    defer { changed.removeAll(keepingCapacity: true) }
    return Array(changed)
  }

  private mutating func nextRevision() -> Int {
    revision += 1
    return revision
  }
}

// MARK: Writing

extension CalendarStore {
  /// Adds an initial user, without a new ``revision``.
  mutating func add(_ account: CalendarAccount) { accounts[account.email] = account }

  /// Adds an initial calendar, without a new ``revision``.
  mutating func add(_ calendar: StoredCalendar) {
    slots[calendar.id] = calendars.count
    calendars.append(calendar)
  }

  /// Stores a new or changed calendar, without changing its rules and events.
  @discardableResult
  mutating func put(_ calendar: StoredCalendar, now: Timestamp) -> StoredCalendar {
    var calendar = calendar
    calendar.revision = nextRevision()
    calendar.updated = Timestamp(secondsSince1970: now.secondsSince1970)
    if let slot = slots[calendar.id] { calendars[slot] = calendar } else { add(calendar) }
    changed.insert(.calendar(calendar.id))
    for account in accounts.values where account.entry(calendar.id) != nil {
      touched.insert(.calendarList(account.email))
    }
    return calendar
  }

  @discardableResult
  mutating func put(_ entry: ListEntry, of user: String) -> ListEntry {
    var entry = entry
    entry.revision = nextRevision()
    accounts[user]?.put(entry)
    changed.insert(.entry(user: user, calendar: entry.calendarID))
    touched.insert(.calendarList(user))
    return entry
  }

  /// Stores an event as the latest change of its calendar.
  @discardableResult
  mutating func put(_ event: StoredEvent, in slot: Int) -> StoredEvent {
    var event = event
    event.revision = nextRevision()
    calendars[slot].events.put(event, in: calendars[slot].zone)
    calendars[slot].eventsUpdated = max(calendars[slot].eventsUpdated, event.updated)
    changed.insert(.event(calendar: calendars[slot].id, id: event.id))
    touched.insert(.events(calendars[slot].id))
    return event
  }

  /// Stores a rule, and removes the calendar from the lists of users who lost access to it.
  @discardableResult
  mutating func put(_ rule: AccessRule, in slot: Int) -> AccessRule {
    var rule = rule
    rule.revision = nextRevision()
    let before = calendars[slot]
    if let index = calendars[slot].rules.firstIndex(where: { $0.grantee == rule.grantee }) {
      calendars[slot].rules[index] = rule
    } else {
      calendars[slot].rules.append(rule)
    }
    changed.insert(.calendar(before.id))
    touched.insert(.acl(before.id))
    for user in accounts.keys {
      let role = role(of: user, in: calendars[slot])
      guard role != self.role(of: user, in: before) else { continue }
      calendars[slot].roleChanges[user] = rule.revision
      guard var entry = accounts[user]?.entry(before.id), !entry.isDeleted else { continue }
      entry.isDeleted = role == .none
      put(entry, of: user)
    }
    return rule
  }
}

// MARK: Restoring

extension CalendarStore {
  mutating func restore(_ calendar: StoredCalendar) {
    guard let slot = slots[calendar.id] else { return add(calendar) }
    var calendar = calendar
    calendar.events = calendars[slot].events
    calendar.events.use(calendar.zone)
    calendars[slot] = calendar
  }

  /// Restores a list entry, even of a user who is not configured: the next start may configure the user again.
  mutating func restore(_ entry: ListEntry, of user: String) {
    accounts[user, default: CalendarAccount(email: user)].put(entry)
  }

  mutating func restore(_ event: StoredEvent, in slot: Int) {
    calendars[slot].events.put(event, in: calendars[slot].zone)
    calendars[slot].eventsUpdated = max(calendars[slot].eventsUpdated, event.updated)
  }

  mutating func reach(_ revision: Int) { self.revision = max(self.revision, revision) }
}
