// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI
import Recurrence
import Timekeeping

/// The time in which an event, its instances or the instance that it replaces can take place, in seconds since 1970.
///
/// Days of all-day events are in UTC, so a query searches one more day on each side. A store keeps the span beside an event as an index.
public struct EventSpan: Sendable, Hashable {
  /// The inclusive start.
  public let start: Int64
  /// The exclusive end, or `Int64.max` for a series without end.
  public let end: Int64

  /// Creates a span of at least one second.
  public init(start: Int64, end: Int64) {
    self.start = start
    self.end = max(end, start < .max ? start + 1 : start)
  }

  /// Returns the span of an event, or `nil` if the event has no time.
  public init?(_ event: Event) {
    let start = event.start?.secondsInUTC
    let original = event.originalStartTime?.secondsInUTC
    guard let first = [start, original].compactMap(\.self).min(), let last = [start, original].compactMap(\.self).max()
    else { return nil }
    if let series = EventSeries(event) {
      // An additional date can precede the start.
      self.init(start: series.set.dates.isEmpty ? first : .min, end: series.end)
    } else {
      self.init(start: first, end: max(last, event.end?.secondsInUTC ?? last))
    }
  }

  /// The length from which a span is long, in seconds.
  package static let longSeconds: Int64 = 31 * 86_400

  /// Whether the span is long.
  ///
  /// There are few such events, most of them recurring.
  ///
  /// A database finds long and short ones by different indexes.
  package var isLong: Bool {
    let (length, overflows) = end.subtractingReportingOverflow(start)
    return overflows || length > Self.longSeconds
  }

  /// The exclusive lower bound of the starts of short spans overlapping this one.
  package var earliestShortStart: Int64 {
    let (earliest, overflows) = start.subtractingReportingOverflow(Self.longSeconds)
    return overflows ? .min : earliest
  }

  /// Whether both have a second in common.
  public func overlaps(_ other: EventSpan) -> Bool { start < other.end && other.start < end }
}

extension EventDateTime {
  /// The instant, with days in UTC.
  var secondsInUTC: Int64? { dateTime?.timestamp.secondsSince1970 ?? date?.startOfDayInUTC.secondsSince1970 }
}
