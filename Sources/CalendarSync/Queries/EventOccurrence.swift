// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI
public import Recurrence
public import Timekeeping

/// An event in a queried range: a single event, or an instance of a recurring event.
///
/// The description contains names of fields and never a value.
public struct EventOccurrence: Sendable, Hashable {
  /// The identifier of the calendar.
  public let calendarID: String
  /// The event, with the server's identifier for an instance.
  public let event: Event
  /// The start, or, for an all-day event, the start of the day in the queried zone.
  public let start: Timestamp
  /// The exclusive end.
  public let end: Timestamp
  /// Whether a pending edit has changed the event, or the recurring event of the instance.
  public internal(set) var isPending = false

  /// Creates an occurrence, or `nil` if the event has no time or takes place outside the range.
  init?(_ event: Event, in calendarID: String, from: Timestamp, to: Timestamp, zone: Zone) {
    guard let start = event.start?.instant(in: zone), start < to else { return nil }
    let end = event.end?.instant(in: zone) ?? start
    guard end > from else { return nil }
    self.calendarID = calendarID
    self.event = event
    self.start = start
    self.end = end
  }
}

extension EventOccurrence: CustomStringConvertible, CustomReflectable {
  /// The names of the event's fields.
  public var description: String { event.debugDescription }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["event": description]) }
}

extension EventDateTime {
  /// Returns the instant, or, for a date, the start of the day in a zone.
  fileprivate func instant(in zone: Zone) -> Timestamp? {
    if let dateTime { return dateTime.timestamp }
    return date.flatMap { LocalDateTime($0) }.map { zone.timestamp(of: $0) }
  }
}

extension CalendarStore {
  /// Returns the single events and the instances of recurring events in a range, in order of their starts.
  ///
  /// Instances are computed when they are read, so a series without end has instances in every range. A changed instance replaces the
  /// original one, and a cancelled one is left out. A recurring event whose rule cannot be read takes place once, at its start.
  ///
  /// ```swift
  /// let zone = try SystemZoneDatabase.shared.zone("Europe/Zurich")
  /// let today = try await store.occurrences(in: [id], for: "me", from: start, to: start + .seconds(86_400), zone: zone)
  /// ```
  ///
  /// - Parameters:
  ///   - calendarIDs: The identifiers of the calendars.
  ///   - account: The account.
  ///   - start: The exclusive lower bound for the end.
  ///   - end: The exclusive upper bound for the start.
  ///   - zone: The zone in which all-day events take place.
  /// - Throws: ``CalendarStoreError``, or `CancellationError`.
  @concurrent public func occurrences(
    in calendarIDs: [String], for account: String, from start: Timestamp, to end: Timestamp, zone: Zone
  ) async throws -> [EventOccurrence] {
    // All-day events are indexed in UTC.
    let day = Duration.seconds(86_400)
    let span = EventSpan(start: (start - day).secondsSince1970, end: (end + day).secondsSince1970)
    let query = EventQuery(calendarIDs: calendarIDs, span: span, includesCancelled: true)
    let events = try await visibleEvents(matching: query, for: account, after: nil, limit: .max)
    return events.occurrences(from: start, to: end, zone: zone).inOrder
  }
}

extension [StoredEvent] {
  /// The single events and instances in a range, in no particular order.
  ///
  /// An event has many fields, so each is copied once.
  func occurrences(from: Timestamp, to: Timestamp, zone: Zone) -> [EventOccurrence] {
    let exceptions = originalStarts
    var occurrences: [EventOccurrence] = []
    occurrences.reserveCapacity(count)
    for index in indices where self[index].event.status != .cancelled {
      let calendarID = self[index].calendarID
      func append(_ event: Event) {
        guard var found = EventOccurrence(event, in: calendarID, from: from, to: to, zone: zone) else { return }
        found.isPending = self[index].isPending
        occurrences.append(found)
      }
      if self[index].event.recurrence != nil, let series = EventSeries(self[index].event) {
        let key = SeriesKey(calendarID: calendarID, id: self[index].event.id)
        series.instances(from: from, to: to, without: exceptions[key] ?? []).forEach(append)
      } else {
        append(self[index].event)
      }
    }
    return occurrences
  }

  /// The original starts of the stored instances, by their recurring event, with days in UTC.
  private var originalStarts: [SeriesKey: Set<Int64>] {
    var starts: [SeriesKey: Set<Int64>] = [:]
    for index in indices {
      guard let id = self[index].event.recurringEventID else { continue }
      guard let original = self[index].event.originalStartTime?.secondsInUTC else { continue }
      starts[SeriesKey(calendarID: self[index].calendarID, id: id), default: []].insert(original)
    }
    return starts
  }
}

private struct SeriesKey: Hashable {
  let calendarID: String
  let id: String?
}

extension [EventOccurrence] {
  /// The occurrences in order of start, end, calendar and identifier.
  ///
  /// An event has many fields, so only positions are moved and compared if possible.
  var inOrder: [EventOccurrence] {
    let order = indices.map { (start: self[$0].start, end: self[$0].end, index: $0) }.sorted { left, right in
      if left.start != right.start { return left.start < right.start }
      if left.end != right.end { return left.end < right.end }
      return self[left.index].names < self[right.index].names
    }
    return order.map { self[$0.index] }
  }
}

extension EventOccurrence {
  fileprivate var names: (String, String) { (calendarID, event.id ?? "") }
}
