// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// When a recurring event takes place, and for how long.
struct EventSeries: Sendable {
  private let start: EventTime
  private let set: RecurrenceSet
  /// How long each instance is: in days, or in seconds.
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

  /// What the series is kept as.
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

  /// The end of the instance that starts at a time.
  func end(of start: EventTime) -> EventTime {
    switch start {
    case .day(let date): .day(date.adding(days: Int(length)))
    case .time(let instant, let zone): .time(instant + .seconds(length), zone)
    }
  }

  /// The starts of the instances that may lie within a range of time, and at most two days beyond it.
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

  /// Whether an instance starts at a time.
  func contains(_ start: EventTime) -> Bool {
    guard start.isDay == self.start.isDay else { return false }
    let instant = start.instant(in: .utc)
    return set.occurrences(from: instant, to: instant + .seconds(1)).first { _ in true } != nil
  }

  /// The start that the end of an instance's identifier names.
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

/// The events of a calendar in the order in which they came, deleted ones included.
struct EventTable: Sendable {
  private(set) var events: [StoredEvent] = []
  private var slots: [String: Int] = [:]
  private var slotsByUID: [String: [Int]] = [:]
  private var slotsBySeries: [String: [Int]] = [:]

  subscript(id: String) -> StoredEvent? { slots[id].map { events[$0] } }

  /// Where an event is in ``events``.
  func slot(_ id: String) -> Int? { slots[id] }

  /// The events that share an iCalendar identifier.
  func events(iCalUID: String) -> [StoredEvent] { (slotsByUID[iCalUID] ?? []).map { events[$0] } }

  /// The changed and cancelled instances of a series.
  func exceptions(of seriesID: String) -> [StoredEvent] { (slotsBySeries[seriesID] ?? []).map { events[$0] } }

  /// The instances of a series that are changed or cancelled on their own.
  func exceptionSlots(of seriesID: String) -> Set<Int64> {
    Set((slotsBySeries[seriesID] ?? []).compactMap { events[$0].exception?.originalStart.slot })
  }

  /// Stores an event in place of that of the same identifier.
  mutating func put(_ event: StoredEvent) {
    if let slot = slots[event.id] {
      let former = events[slot].iCalUID
      events[slot] = event
      if former != event.iCalUID {
        slotsByUID[former]?.removeAll { $0 == slot }
        slotsByUID[event.iCalUID, default: []].append(slot)
      }
      return
    }
    let slot = events.count
    events.append(event)
    slots[event.id] = slot
    slotsByUID[event.iCalUID, default: []].append(slot)
    if let seriesID = event.exception?.seriesID { slotsBySeries[seriesID, default: []].append(slot) }
  }
}
