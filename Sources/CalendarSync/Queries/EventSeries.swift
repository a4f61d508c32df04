// SPDX-License-Identifier: Apache-2.0

package import CalendarAPI
package import Recurrence
import Timekeeping

/// The instances of a recurring event.
struct EventSeries {
  /// The maximum number of instances to count for finding the end of a series.
  private static let countedInstances = 1000

  let event: Event
  let set: RecurrenceSet
  /// The length of each instance, in seconds.
  let length: Int64

  /// Creates the series of an event, or `nil` if the event does not recur or its rule or zone cannot be read.
  init?(_ event: Event) {
    guard let lines = event.recurrence, !lines.isEmpty, let start = event.start, let time = start.time else {
      return nil
    }
    guard let set = try? RecurrenceSet(start: time.seriesTime, lines: lines) else { return nil }
    self.event = event
    self.set = set
    length = max(0, (event.end?.secondsInUTC ?? 0) - (start.secondsInUTC ?? 0))
  }

  /// Whether the system has the start's time zone, or the start names none.
  var hasKnownZone: Bool {
    if case .utc = set.start { event.start?.timeZone == nil } else { true }
  }

  /// Returns the instance with a start, or `nil` if there is none.
  ///
  /// - Parameter start: The start, with days in UTC.
  func instance(at start: Timestamp) -> Event? {
    set.occurrences(from: start, to: start + .seconds(1)).first { _ in true }.map(instance)
  }

  /// The end of the last instance, or an instant after it, or `Int64.max` if the series has no end or at least 1000
  /// instances.
  var end: Int64 {
    guard set.rules.allSatisfy({ $0.end != .never }) else { return .max }
    var (last, count) = (set.start.timestamp.secondsSince1970, 0)
    for occurrence in set.occurrences {
      last = max(last, occurrence.timestamp.secondsSince1970)
      count += 1
      if count == Self.countedInstances { return .max }
    }
    return last + length + 1
  }

  /// Returns the instances that can take place in a range, without those replaced by an exception.
  ///
  /// - Parameter exceptions: The original starts of the exceptions, with days in UTC.
  func instances(from: Timestamp, to: Timestamp, without exceptions: Set<Int64>) -> [Event] {
    let day = Duration.seconds(86_400)
    return set.occurrences(from: from - .seconds(length) - day, to: to + day)
      .filter { !exceptions.contains($0.timestamp.secondsSince1970) }
      .map(instance)
  }

  private func instance(_ occurrence: Occurrence) -> Event {
    var instance = event
    instance.recurrence = nil
    instance.recurringEventID = event.id
    let text = LocalDateTime(utc: occurrence.timestamp).description
    if set.start.isAllDay {
      instance.start = EventDateTime(date: occurrence.date)
      instance.end = EventDateTime(date: occurrence.date.adding(days: Int(length / 86_400)))
      instance.id = event.id.map { "\($0)_\(text.prefix(8))" }
    } else {
      let (zone, end) = (set.start.zone, occurrence.timestamp + .seconds(length))
      instance.start = EventDateTime(occurrence.timestamp, in: zone, named: event.start?.timeZone)
      instance.end = EventDateTime(end, in: zone, named: event.end?.timeZone)
      instance.id = event.id.map { "\($0)_\(text)Z" }
    }
    instance.originalStartTime = instance.start
    return instance
  }
}

extension EventTime {
  /// The start of a series, in UTC if the system does not have its time zone.
  package var seriesTime: SeriesTime {
    switch self {
    case .allDay(let date): .date(date)
    case .timed(let time, let name):
      if let zone = name.flatMap({ try? SystemZoneDatabase.shared.zone($0) }) {
        .local(zone.local(at: time.timestamp), zone)
      } else {
        .utc(LocalDateTime(utc: time.timestamp))
      }
    }
  }
}

extension EventDateTime {
  /// Creates a time with its offset in a zone, and the name of its own zone.
  init(_ instant: Timestamp, in zone: Zone, named name: String?) {
    let time = OffsetDateTime(instant, offsetSeconds: zone.offset(at: instant)) ?? OffsetDateTime(instant)
    self.init(dateTime: time, timeZone: name)
  }
}
