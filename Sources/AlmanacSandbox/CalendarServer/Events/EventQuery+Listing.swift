// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

// The rows of one page, found in the order of the listing.
//
// A calendar keeps its events sorted by every key that a listing can have. A page starts at the end of the previous one and stops when it
// is full. Its cost depends on the events that it reads, not on the number of events in the calendar.
extension EventQuery {
  /// Returns the first rows of the listing after a key, in order.
  ///
  /// - Complexity: O(log *n* + *m*) for *n* events in the calendar, of which the page reads *m*, including those that are not requested. By
  ///   start and by update, it also reads the next instance of each recurring event.
  func rows(of calendar: StoredCalendar, after: SortKey?, limit: Int) -> [Row] {
    var page = PageRows(after: after, limit: limit)
    switch order {
    case .asStored:
      if let since { addChanges(since, of: calendar, to: &page) } else { addStored(of: calendar, to: &page) }
    case .startTime, .updated: merge(calendar, into: &page)
    }
    return page.rows
  }

  private func addStored(of calendar: StoredCalendar, to page: inout PageRows) {
    let slots = 0..<calendar.events.events.count
    // A forged token may have any number.
    let first = page.after.map { Int(clamping: max($0.first, 0)) } ?? 0
    if let candidates = candidates(of: calendar.events) {
      for slot in candidates.sorted() where slot >= first && !page.isFull { add(slot, of: calendar, to: &page) }
    } else {
      for slot in slots.dropFirst(first) {
        if page.isFull { return }
        add(slot, of: calendar, to: &page)
      }
    }
  }

  private func addChanges(_ since: Int, of calendar: StoredCalendar, to page: inout PageRows) {
    let first = max(Int64(since), page.after?.first ?? .min)
    for entry in calendar.events.byRevision.entries(after: SortKey(first: first, second: .min)) {
      if page.isFull { return }
      let event = calendar.events.events[entry.slot]
      guard event.revision > since else { continue }
      guard isExpanded, event.formerSeries.contains(where: { $0.revision > since }) else {
        add(entry.slot, of: calendar, to: &page)
        continue
      }
      let rows = found(event, in: calendar).map { (key: key(entry.slot, $0, calendar.zone), item: $0) }
      for row in rows.sorted(by: { $0.key < $1.key }) { page.append(row.key, row.item) }
    }
  }

  /// Merges the instances of the recurring events with the other events.
  private func merge(_ calendar: StoredCalendar, into page: inout PageRows) {
    let events = calendar.events
    var instances = InstanceQueue(after: page.after)
    if isExpanded {
      for slot in events.recurring {
        guard let stream = stream(of: events.events[slot], slot, in: calendar, after: page.after) else { continue }
        instances.insert(stream) { key(slot, $0, calendar.zone) }
      }
    }
    let (order, first) = order == .startTime ? (events.byStart, firstStart(in: events)) : (events.byUpdate, firstUpdate)
    for entry in order.entries(after: [page.after, first].compactMap(\.self).max()) {
      while !page.isFull, let row = instances.removeFirst(before: entry.key) { page.append(row.key, row.item) }
      if page.isFull || (self.order == .startTime && isPastBounds(entry.key)) { break }
      if !isExpanded || events.events[entry.slot].series == nil { add(entry.slot, of: calendar, to: &page) }
    }
    while !page.isFull, let row = instances.removeFirst() { page.append(row.key, row.item) }
  }

  /// Adds the rows of an event: the event or its instances.
  private func add(_ slot: Int, of calendar: StoredCalendar, to page: inout PageRows) {
    // The span avoids copying events that are not requested. A copy would take longer than the check.
    let events = calendar.events.events
    let span = events.span
    if span[slot].series == nil {
      if isRequested(span[slot], in: calendar) { page.append(key(slot, span[slot], calendar.zone), span[slot]) }
    } else if !isExpanded {
      for event in found(span[slot], in: calendar) { page.append(key(slot, event, calendar.zone), event) }
    } else if var stream = stream(of: span[slot], slot, in: calendar, after: page.after) {
      while !page.isFull, let instance = stream.next() { page.append(key(slot, instance, calendar.zone), instance) }
    }
  }
}

// MARK: Ranges of the calendar

extension EventQuery {
  /// The maximum number of events that are sorted for a page.
  private static let maximumCandidates = 4096

  /// Returns the slots of all events that can be requested, or `nil` if there are too many to sort.
  private func candidates(of events: EventTable) -> [Int]? {
    if let iCalUID { return events.slots(iCalUID: iCalUID) }
    var slots: [Int] = []
    /// Adds the entries after a key up to the bounds, and returns whether few enough were added to sort them.
    func add(_ order: EventOrder, after key: SortKey?, _ isPastBounds: (SortKey) -> Bool) -> Bool {
      for entry in order.entries(after: key) {
        if isPastBounds(entry.key) { break }
        guard slots.count < Self.maximumCandidates else { return false }
        slots.append(entry.slot)
      }
      return true
    }
    if let firstUpdate, add(events.byUpdate, after: firstUpdate, { _ in false }) { return slots }
    guard timeMin != nil || timeMax != nil, events.recurring.count < Self.maximumCandidates else { return nil }
    slots = Array(events.recurring)
    return add(events.byStart, after: firstStart(in: events), isPastBounds) ? slots : nil
  }

  /// A key before those of the events that end after `timeMin`.
  private func firstStart(in events: EventTable) -> SortKey? {
    timeMin.map { SortKey(first: $0.secondsSince1970 - events.maximumLength, second: .min) }
  }

  /// A key before those of the events that have changed since `updatedMin`.
  private var firstUpdate: SortKey? {
    updatedMin.map { SortKey(first: $0.secondsSince1970, second: Int64($0.nanoseconds)) }
  }

  /// Returns whether the event with a start key, and every later event, starts after `timeMax`.
  private func isPastBounds(_ key: SortKey) -> Bool { timeMax.map { key.first > $0.secondsSince1970 } ?? false }

  /// Returns the requested instances of a recurring event, without most of those up to a key.
  ///
  /// Returns `nil` if there are none.
  private func stream(
    of event: StoredEvent, _ slot: Int, in calendar: StoredCalendar, after: SortKey?
  ) -> InstanceStream? {
    guard let series = event.series, !event.isCancelled || showsDeleted, matches(event) else { return nil }
    let start: Int64? =
      switch order {
      case .startTime: after?.first
      case .asStored: after.flatMap { $0.first == key(slot, event, calendar.zone).first ? $0.second : nil }
      case .updated: nil
      }
    return InstanceStream(
      of: event, series, self, in: calendar, from: start.map { Timestamp(secondsSince1970: $0) })
  }
}

/// The rows of a page, which are added in order.
private struct PageRows {
  let after: SortKey?
  let limit: Int
  private(set) var rows: [EventQuery.Row] = []

  var isFull: Bool { rows.count >= limit }

  /// Adds a row, unless it is before the page or after its end.
  mutating func append(_ key: SortKey, _ event: @autoclosure () -> StoredEvent) {
    guard !isFull, after.map({ $0 < key }) ?? true else { return }
    rows.append((key, event()))
  }
}
