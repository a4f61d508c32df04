// SPDX-License-Identifier: Apache-2.0

package import CalendarAPI
package import Recurrence
package import Timekeeping

/// A span of time, and its local days.
///
/// Every list of events uses it to decide whether an event belongs to the list, and under which days.
package struct DaySpan: Sendable {
  /// The span.
  package let span: Range<Timestamp>
  /// The zone of the days.
  package let zone: Zone
  /// The days of the span.
  package let days: ClosedRange<CivilDate>

  /// - Parameters:
  ///   - span: The span, which is not empty.
  ///   - zone: The zone of the days.
  package init(_ span: Range<Timestamp>, in zone: Zone) {
    self.span = span
    self.zone = zone
    days = zone.bounds(from: span.lowerBound, to: span.upperBound)
  }

  /// The bounds for a request that lists all events of the span's days.
  ///
  /// An all-day event has no zone, and the server places its days in the zone of its calendar. Offsets differ by at most 26
  /// hours, so the same day begins and ends at most 26 hours earlier or later there. The event covers a whole day, so a margin of
  /// three hours is enough. The response can contain events outside of the span, for which ``days(of:)`` is empty.
  package var requested: Range<Timestamp> {
    let margin = Duration.seconds(3 * 3600)
    // A request can contain only the years 0 to 9999.
    let start = max(zone.start(of: days.lowerBound) - margin, CivilDate.min.startOfDayInUTC)
    return
      start..<max(start, min(zone.start(of: days.upperBound.adding(days: 1)) + margin, CivilDate.max.startOfDayInUTC))
  }

  /// Returns the local days of the span covered by an event, in order, or none if the event is outside the span.
  ///
  /// An all-day event covers its dates, regardless of the zone. A timed event covers each day that contains one of its
  /// instants. Its end is exclusive. An event without an end after its start covers the day of its start.
  package func days(of event: Event) -> [CivilDate] {
    switch event.start?.time {
    case .allDay(let first):
      let end = event.end?.date ?? first
      let (from, to) = (max(first, days.lowerBound), min(max(first, end.adding(days: -1)), days.upperBound))
      return from > to ? [] : (from.daysSince1970...to.daysSince1970).map { CivilDate(daysSince1970: $0) }
    case .timed(let start, _):
      let start = start.timestamp
      let end = max(start, event.end?.dateTime?.timestamp ?? start)
      guard start < span.upperBound, end > span.lowerBound || start == span.lowerBound else { return [] }
      return zone.days(from: max(start, span.lowerBound), to: min(end, span.upperBound))
    case nil: return []
    }
  }

  /// Returns the times of an event on one of its days, such as `09:30–10:15`, `from 22:00`, `until 02:00` or `day 2 of 3`.
  package func time(of event: Event, on day: CivilDate) -> String {
    switch event.start?.time {
    case .allDay(let first):
      let count = (event.end?.date ?? first).daysSince1970 - first.daysSince1970
      return count > 1 ? "day \(day.daysSince1970 - first.daysSince1970 + 1) of \(count)" : "all day"
    case .timed(let start, _):
      let start = start.timestamp
      guard let end = event.end?.dateTime?.timestamp, end > start else { return zone.clock(at: start) }
      let isFirst = zone.local(at: start).date == day
      let isLast = zone.local(at: end - .nanoseconds(1)).date == day
      switch (isFirst, isLast) {
      case (true, true): return "\(zone.clock(at: start))–\(zone.clock(at: end))"
      case (true, false): return "from \(zone.clock(at: start))"
      case (false, true): return "until \(zone.clock(at: end))"
      case (false, false): return "all day"
      }
    case nil: return ""
    }
  }
}

extension Zone {
  /// Returns the first instant of a day.
  package func start(of day: CivilDate) -> Timestamp { LocalDateTime(day).map(timestamp) ?? day.startOfDayInUTC }

  /// Returns the days of all instants from `start` to before `end`, or the day of `start` if there are none.
  ///
  /// A zone that moves across the date line can skip a day.
  fileprivate func days(from start: Timestamp, to end: Timestamp) -> [CivilDate] {
    let bounds = bounds(from: start, to: end)
    return (bounds.lowerBound.daysSince1970...bounds.upperBound.daysSince1970)
      .map { CivilDate(daysSince1970: $0) }
      .filter { local(at: self.start(of: $0)).date == $0 }
  }

  /// Returns the first and the last day of all instants from `start` to before `end`.
  ///
  /// If clocks go back across midnight, the later instant can have the earlier date, and a day can begin twice.
  fileprivate func bounds(from start: Timestamp, to end: Timestamp) -> ClosedRange<CivilDate> {
    let (first, last) = (local(at: start).date, local(at: max(start, end - .nanoseconds(1))).date)
    let next = max(first, last).adding(days: 1)
    let reachesNext = start < end && (start..<end).contains(self.start(of: next))
    return min(first, last)...(reachesNext ? next : max(first, last))
  }

  /// Returns the local time of day, such as `09:30`.
  fileprivate func clock(at instant: Timestamp) -> String {
    let time = local(at: instant)
    let padded = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    return "\(padded(time.hour)):\(padded(time.minute))"
  }
}

extension Zone {
  /// A sentence about the zone of the times of a list.
  var notice: TerminalText { "Times are in the zone \(identifier)." }
}
