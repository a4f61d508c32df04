// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// When an event takes place: on whole days or between two times, never a mixture.
public enum EventPeriod: Sendable, Hashable {
  /// The days of an all-day event, without the one after the last.
  case allDay(Range<CivilDate>)
  /// The start and the exclusive end of a timed event, and the IANA names of their time zones.
  ///
  /// The end of a flight, say, is in another zone than its start. Without `endTimeZone`, `timeZone` is that of both,
  /// and a period that names it twice is the same.
  case timed(start: OffsetDateTime, end: OffsetDateTime, timeZone: String? = nil, endTimeZone: String? = nil)
}

extension EventPeriod {
  /// Returns a period on the day that it is now in a time zone.
  ///
  /// ```swift
  /// let tea = EventPeriod.today(at: 15, for: .seconds(1800), in: .current)
  /// ```
  ///
  /// - Parameters:
  ///   - hour: The hour of the day. Hour 24 is the next day's midnight.
  ///   - minute: The minute of the hour.
  ///   - duration: The time from start to end.
  ///   - timeZone: The time zone of the day and of both times.
  ///   - clock: The clock that says which day it is.
  public static func today(
    at hour: Int, _ minute: Int = 0, for duration: Duration, in timeZone: TimeZone,
    clock: some WallClock = SystemClock()
  ) -> EventPeriod {
    on(timeZone.dateTime(at: clock.now).date, at: hour, minute, for: duration, in: timeZone)
  }

  /// Returns a period on a day.
  ///
  /// A time that clocks skip when they are set forward is moved by the length of the gap; of a time that they show twice, it is
  /// the first.
  ///
  /// - Parameters:
  ///   - day: The day of the start.
  ///   - hour: The hour of the day, -8,784 to 8,784, or else the nearest of these. Hour 24 is the next day's midnight.
  ///   - minute: The minute of the hour, in the same range.
  ///   - duration: The time from start to end.
  ///   - timeZone: The time zone of both times.
  public static func on(
    _ day: CivilDate, at hour: Int, _ minute: Int = 0, for duration: Duration, in timeZone: TimeZone
  ) -> EventPeriod {
    let seconds = hour.clamped(to: -8784...8784) * 3600 + minute.clamped(to: -8784...8784) * 60
    let local = day.startOfDay + .seconds(seconds)
    let start = timeZone.instant(of: local) ?? local - .seconds(timeZone.offsets(around: local).before)
    return .timed(
      start: timeZone.dateTime(at: start), end: timeZone.dateTime(at: start + duration), timeZone: timeZone.identifier)
  }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

extension EventPeriod {
  /// The start.
  public var start: EventTime {
    switch self {
    case .allDay(let days): .allDay(days.lowerBound)
    case .timed(let start, _, let timeZone, _): .timed(start, timeZone: timeZone)
    }
  }

  /// The exclusive end.
  public var end: EventTime {
    switch self {
    case .allDay(let days): .allDay(days.upperBound)
    case .timed(_, let end, let timeZone, let endTimeZone): .timed(end, timeZone: endTimeZone ?? timeZone)
    }
  }
}

extension EventPeriod {
  /// Whether both have the same start and end, each with the same zone.
  public static func == (left: EventPeriod, right: EventPeriod) -> Bool {
    left.start == right.start && left.end == right.end
  }

  /// Hashes start and end.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(start)
    hasher.combine(end)
  }
}

extension Event {
  /// When the event takes place; `nil` if start or end is missing, as in a deleted event, or if they do not go together.
  ///
  /// An end without a time zone has that of the start.
  ///
  /// Setting it sets the date or the time and the zone of ``start`` and ``end``, clears their fields of the other kind, and
  /// keeps those that have no property.
  public var period: EventPeriod? {
    get {
      switch (start?.time, end?.time) {
      case (.allDay(let first), .allDay(let last)) where first <= last: .allDay(first..<last)
      case (.timed(let start, let timeZone), .timed(let end, let endTimeZone)):
        .timed(start: start, end: end, timeZone: timeZone, endTimeZone: endTimeZone == timeZone ? nil : endTimeZone)
      default: nil
      }
    }
    set {
      start = newValue.map { (start ?? EventDateTime()).at($0.start) }
      end = newValue.map { (end ?? EventDateTime()).at($0.end) }
    }
  }
}

extension EventDateTime {
  /// The same start or end at another time.
  fileprivate func at(_ time: EventTime) -> EventDateTime {
    var other = self
    other.time = time
    return other
  }
}

extension Event.Patch {
  /// Sets when the event takes place.
  ///
  /// The fields of the other kind are cleared, as a change between all-day and timed needs.
  public mutating func setPeriod(_ period: EventPeriod) {
    start = .set(EventDateTime(period.start))
    end = .set(EventDateTime(period.end))
  }
}
