// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// The instances of a recurring event.
struct EventSeries: Sendable {
  private let start: EventTime
  private let set: RecurrenceSet
  /// The length of each instance, in days or in seconds.
  private let length: Int64

  init(start: EventTime, end: EventTime, lines: [String]) throws(APIFault) {
    self.start = start
    do { set = try RecurrenceSet(start: start.seriesTime, lines: lines) } catch {
      throw .invalid("Invalid recurrence rule.")
    }
    length =
      switch (start, end) {
      case (.day(let first), .day(let end)): Int64(end.daysSince1970 - first.daysSince1970)
      case (.time(let first, _), .time(let end, _)): end.secondsSince1970 - first.secondsSince1970
      default: 0
      }
  }

  /// The persisted form of the series.
  var record: JSONValue {
    ["start": start.record, "end": end(of: start).record, "lines": .array(set.lines.map { .string($0) })]
  }

  init?(record: JSONValue) {
    guard let start = EventTime(record: record["start"]), let end = EventTime(record: record["end"]),
      let series = try? EventSeries(
        start: start, end: end, lines: (record["lines"]?.array ?? []).compactMap(\.string))
    else { return nil }
    self = series
  }

  /// Returns the end of the instance with a start.
  func end(of start: EventTime) -> EventTime {
    switch start {
    case .day(let date): .day(date.adding(days: Int(length)))
    case .time(let instant, let zone): .time(instant + .seconds(length), zone)
    }
  }

  /// Returns the starts of the instances within a time range, and possibly others up to two days outside of it.
  func starts(from first: Timestamp?, to end: Timestamp?) -> some Sequence<EventTime> {
    let seconds = start.isDay ? length * 86_400 : length
    let occurrences =
      if let first {
        set.occurrences(from: first - .seconds(seconds + 86_400), to: end.map { $0 + .seconds(86_400) })
      } else if let end {
        set.occurrences(from: start.instant(in: .utc) - .seconds(86_400), to: end + .seconds(86_400))
      } else {
        set.occurrences
      }
    return occurrences.lazy.map(time)
  }

  /// Whether an instance has this start.
  func contains(_ start: EventTime) -> Bool {
    guard start.isDay == self.start.isDay else { return false }
    let instant = start.instant(in: .utc)
    return set.occurrences(from: instant, to: instant + .seconds(1)).first { _ in true } != nil
  }

  /// Returns the start contained in an instance's identifier.
  func start(suffix: Substring) -> EventTime? {
    guard let time = try? RecurrenceTime(String(suffix)) else { return nil }
    let start: EventTime? =
      switch (time, self.start) {
      case (.date(let date), .day): .day(date)
      case (.utc(let local), .time(_, let zone)): .time(local.timestampInUTC, zone)
      default: nil
      }
    return start.flatMap { contains($0) ? $0 : nil }
  }

  private func time(_ occurrence: Occurrence) -> EventTime {
    if case .time(_, let zone) = start { .time(occurrence.timestamp, zone) } else { .day(occurrence.date) }
  }
}

/// The events of a calendar in insertion order, including deleted ones.
struct EventTable: Sendable {
  private(set) var events: [StoredEvent] = []
  private var slots: [String: Int] = [:]
  private var slotsByUID: [String: [Int]] = [:]
  private var slotsBySeries: [String: [Int]] = [:]
  /// All events, sorted by revision.
  private(set) var byRevision = EventOrder()
  /// All events, sorted by the time of their last change.
  private(set) var byUpdate = EventOrder()
  /// The non-recurring events, sorted by start.
  private(set) var byStart = EventOrder()
  /// The slots of the recurring events.
  private(set) var recurring: Set<Int> = []
  /// The maximum length of a non-recurring event, in seconds.
  ///
  /// Replaced events count too.
  private(set) var maximumLength: Int64 = 0
  /// The calendar's zone.
  ///
  /// The all-day events in ``byStart`` start at midnight in this zone.
  private var zone = Zone.utc

  subscript(id: String) -> StoredEvent? { slots[id].map { events[$0] } }

  /// Returns the events with an iCalendar identifier.
  func events(iCalUID: String) -> [StoredEvent] { slots(iCalUID: iCalUID).map { events[$0] } }

  /// Returns the slots of the events with an iCalendar identifier.
  func slots(iCalUID: String) -> [Int] { slotsByUID[iCalUID] ?? [] }

  /// Returns the changed and cancelled instances of a series.
  func exceptions(of seriesID: String) -> [StoredEvent] { (slotsBySeries[seriesID] ?? []).map { events[$0] } }

  /// Returns the slots of the changed and cancelled instances of a series.
  func exceptionSlots(of seriesID: String) -> Set<Int64> {
    Set((slotsBySeries[seriesID] ?? []).compactMap { events[$0].exception?.originalStart.slot })
  }

  /// Stores an event, and replaces the event with the same identifier.
  ///
  /// - Parameter zone: The calendar's zone.
  mutating func put(_ event: StoredEvent, in zone: Zone) {
    use(zone)
    if let slot = slots[event.id] {
      let former = events[slot].iCalUID
      removeFromOrders(slot)
      events[slot] = event
      addToOrders(slot)
      if former != event.iCalUID {
        slotsByUID[former]?.removeAll { $0 == slot }
        slotsByUID[event.iCalUID, default: []].append(slot)
      }
      return
    }
    let slot = events.count
    events.append(event)
    addToOrders(slot)
    slots[event.id] = slot
    slotsByUID[event.iCalUID, default: []].append(slot)
    if let seriesID = event.exception?.seriesID { slotsBySeries[seriesID, default: []].append(slot) }
  }

  /// Changes the calendar's zone, and sorts the events by start in the new zone.
  mutating func use(_ zone: Zone) {
    guard zone != self.zone else { return }
    self.zone = zone
    (byStart, maximumLength) = (EventOrder(), 0)
    for slot in events.indices where events[slot].series == nil { addByStart(slot) }
  }

  private mutating func addToOrders(_ slot: Int) {
    byRevision.insert(events[slot].revisionKey, slot)
    byUpdate.insert(events[slot].updateKey, slot)
    if events[slot].series == nil { addByStart(slot) } else { recurring.insert(slot) }
  }

  private mutating func addByStart(_ slot: Int) {
    let key = events[slot].startKey(in: zone)
    byStart.insert(key, slot)
    maximumLength = max(maximumLength, events[slot].end.instant(in: zone).secondsSince1970 - key.first)
  }

  private mutating func removeFromOrders(_ slot: Int) {
    byRevision.remove(events[slot].revisionKey)
    byUpdate.remove(events[slot].updateKey)
    if events[slot].series == nil { byStart.remove(events[slot].startKey(in: zone)) } else { recurring.remove(slot) }
  }
}

// The keys by which events are sorted.
extension StoredEvent {
  fileprivate var revisionKey: SortKey { SortKey(first: Int64(revision), id: id) }

  var updateKey: SortKey {
    SortKey(first: updated.secondsSince1970, second: Int64(updated.nanoseconds), id: id)
  }

  func startKey(in zone: Zone) -> SortKey { SortKey(first: start.instant(in: zone).secondsSince1970, id: id) }
}
