// SPDX-License-Identifier: Apache-2.0

import CalendarAPI

/// The events changed by pending edits, as they are after the edits.
struct PendingOverlay {
  private struct Key: Hashable {
    let calendarID: String
    let id: String
  }

  /// The changed events, or `nil` for a removed one.
  private var events: [Key: Event?] = [:]
  /// The recurring events removed with their instances.
  private var removedSeries: Set<Key> = []

  var isEmpty: Bool { events.isEmpty }

  /// Reads the pending edits of an account.
  init(_ store: some CalendarStore, _ account: String) async throws {
    for edit in try await store.pendingEdits(for: account) where edit.isVisible {
      for change in edit.changes[edit.completed...] { try await add(change, in: edit.calendarID, store, account) }
    }
  }

  private mutating func add(
    _ change: EventChange, in calendarID: String, _ store: some CalendarStore, _ account: String
  ) async throws {
    let key = Key(calendarID: calendarID, id: change.eventID)
    if case .insert(let event) = change.action {
      events[key] = event
      return
    }
    let current: Event?
    if let changed = events[key] {
      current = changed
    } else if case .event(let event) = try await store.resource(
      key.id, in: .events(calendarID: calendarID), for: account)
    {
      current = event
    } else {
      current = change.base
    }
    guard let current else { return }
    switch change.action {
    case .insert: break
    case .patch(let patch):
      var event = patch.applied(to: current)
      // The server has no such version.
      event.etag = nil
      events[key] = event
    case .delete where current.recurringEventID != nil: events[key] = .cancelled(current)
    case .delete:
      events[key] = .some(nil)
      removedSeries.insert(key)
    }
  }

  /// Whether a stored event is changed or removed.
  func replaces(_ event: Event, in calendarID: String) -> Bool {
    let series = event.recurringEventID.map { Key(calendarID: calendarID, id: $0) }
    return event.id.map { events[Key(calendarID: calendarID, id: $0)] != nil } == true
      || series.map(removedSeries.contains) == true
  }

  /// Returns an event with its pending changes: `nil` without pending changes, `.some(nil)` if they remove the event.
  func event(_ id: String, in calendarID: String) -> Event?? { events[Key(calendarID: calendarID, id: id)] }

  /// The changed events of a query after a position.
  func events(matching query: EventQuery, after cursor: EventCursor?) -> [StoredEvent] {
    events.compactMap { key, event in
      guard let event, query.calendarIDs?.contains(key.calendarID) != false else { return nil }
      let index = EventIndex(event)
      guard query.matches(index) else { return nil }
      var found = StoredEvent(event, in: key.calendarID, start: index.start)
      found.isPending = true
      return cursor.map { found.cursor > $0 } == false ? nil : found
    }
  }
}

extension CalendarStore {
  /// Returns the events matching a query, with pending edits applied, sorted by ``EventCursor``.
  @concurrent func visibleEvents(
    matching query: EventQuery, for account: String, after cursor: EventCursor?, limit: Int
  ) async throws -> [StoredEvent] {
    let overlay = try await PendingOverlay(self, account)
    if overlay.isEmpty { return try await events(matching: query, for: account, after: cursor, limit: limit) }
    var (found, last) = ([StoredEvent](), cursor)
    while found.count < limit {
      let portion = try await events(matching: query, for: account, after: last, limit: limit)
      found += portion.filter { !overlay.replaces($0.event, in: $0.calendarID) }
      if portion.count < limit { break }
      last = portion.last?.cursor
    }
    found += overlay.events(matching: query, after: cursor)
    return Array(found.sorted { $0.cursor < $1.cursor }.prefix(limit))
  }

  /// Returns an event as it is after the pending edits, or `nil` if there is none.
  @concurrent func visibleEvent(_ id: String, in calendarID: String, for account: String) async throws -> Event? {
    if let changed = try await PendingOverlay(self, account).event(id, in: calendarID) { return changed }
    guard case .event(let event) = try await resource(id, in: .events(calendarID: calendarID), for: account) else {
      return nil
    }
    return event
  }
}
