// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// The requested instances of a series by start, without its exceptions.
struct InstanceStream: Sequence, IteratorProtocol {
  private let event: StoredEvent
  private let series: EventSeries
  private let query: EventQuery
  private let calendar: StoredCalendar
  private let exceptions: Set<Int64>
  private var starts: AnyIterator<EventTime>

  /// - Parameter from: An instant. Instances before it may be omitted.
  init(
    of event: StoredEvent, _ series: EventSeries, _ query: EventQuery, in calendar: StoredCalendar,
    from: Timestamp? = nil
  ) {
    (self.event, self.series, self.query, self.calendar) = (event, series, query, calendar)
    exceptions = calendar.events.exceptionSlots(of: event.id)
    let first = [query.timeMin, from].compactMap(\.self).max()
    starts = AnyIterator(series.starts(from: first, to: query.last).makeIterator())
  }

  mutating func next() -> StoredEvent? {
    while let start = starts.next() {
      guard !exceptions.contains(start.slot), start.instant(in: calendar.zone) < query.last,
        query.isWithinBounds(start, series.end(of: start), calendar.zone)
      else { continue }
      return event.instance(at: start)
    }
    return nil
  }
}

/// The instances of several series, in the order of their keys.
struct InstanceQueue {
  private struct Head {
    var stream: InstanceStream
    var row: EventQuery.Row
    let key: (StoredEvent) -> SortKey
  }

  private let after: SortKey?
  private var heads: [Head] = []
  /// The positions of the instances in ``heads``, the first one last.
  private var order: [Int] = []

  /// - Parameter after: A key. Instances up to it are omitted.
  init(after: SortKey?) { self.after = after }

  /// Adds a series.
  mutating func insert(_ stream: InstanceStream, key: @escaping (StoredEvent) -> SortKey) {
    var stream = stream
    while let event = stream.next() {
      let key = (event: key(event), of: key)
      guard after.map({ $0 < key.event }) ?? true else { continue }
      heads.append(Head(stream: stream, row: (key.event, event), key: key.of))
      return insertIntoOrder(heads.count - 1)
    }
  }

  /// Removes and returns the first instance, or returns `nil` if there is none, or none before a key.
  mutating func removeFirst(before key: SortKey? = nil) -> EventQuery.Row? {
    guard let head = order.last, key.map({ heads[head].row.key < $0 }) ?? true else { return nil }
    order.removeLast()
    let row = heads[head].row
    if let next = heads[head].stream.next() {
      heads[head].row = (heads[head].key(next), next)
      insertIntoOrder(head)
    }
    return row
  }

  private mutating func insertIntoOrder(_ head: Int) {
    order.insert(head, at: order.countOfFirst { heads[head].row.key < heads[$0].row.key })
  }
}
