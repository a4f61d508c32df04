// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation
public import Timekeeping

/// The period of an event: whole days, or the time between a start and an end.
public enum EventPeriod: Sendable, Hashable {
  /// The days of an all-day event. The upper bound is the day after the last.
  case allDay(Range<CivilDate>)
  /// The start and the exclusive end of a timed event, and the IANA names of their time zones.
  ///
  /// The end can be in another zone than the start, as for a flight. Without `endTimeZone`, `timeZone` applies to both
  /// times. A period naming the same zone twice is equal.
  case timed(start: OffsetDateTime, end: OffsetDateTime, timeZone: String? = nil, endTimeZone: String? = nil)
}

extension EventPeriod {
  /// Returns a period on the current day in a time zone.
  ///
  /// ```swift
  /// let tea = EventPeriod.today(at: 15, for: .seconds(1800), in: .current)
  /// ```
  ///
  /// - Parameters:
  ///   - hour: The hour of the day. Hour 24 is the next day's midnight.
  ///   - minute: The minute of the hour.
  ///   - duration: The time from start to end.
  ///   - timeZone: The time zone of the day and of both times. On Linux, a named zone and `current` require full Foundation.
  ///   - clock: The clock for determining the current day.
  public static func today(
    at hour: Int, _ minute: Int = 0, for duration: Duration, in timeZone: TimeZone,
    clock: any WallClock = SystemClock()
  ) -> EventPeriod {
    on(OffsetDateTime(clock.now, in: timeZone).date, at: hour, minute, for: duration, in: timeZone)
  }

  /// Returns a period on a day.
  ///
  /// A skipped local time is moved by the length of the gap. A repeated local time is the first of the two instants.
  ///
  /// - Parameters:
  ///   - day: The day of the start.
  ///   - hour: The hour of the day, clamped to -8,784 to 8,784. Hour 24 is the next day's midnight.
  ///   - minute: The minute of the hour, in the same range.
  ///   - duration: The time from start to end.
  ///   - timeZone: The time zone of both times. On Linux, a named zone and `current` require full Foundation.
  public static func on(
    _ day: CivilDate, at hour: Int, _ minute: Int = 0, for duration: Duration, in timeZone: TimeZone
  ) -> EventPeriod {
    let seconds = hour.clamped(to: -8784...8784) * 3600 + minute.clamped(to: -8784...8784) * 60
    let local = day.startOfDayInUTC + .seconds(seconds)
    let start = timeZone.instant(of: local) ?? local - .seconds(timeZone.offsets(around: local).before)
    return .timed(
      start: OffsetDateTime(start, in: timeZone), end: OffsetDateTime(start + duration, in: timeZone),
      timeZone: timeZone.identifier)
  }

  /// Creates the period between two dates.
  ///
  /// ```swift
  /// let period = EventPeriod(start: .now, end: .now + 3600, in: .current)
  /// ```
  ///
  /// - Parameters:
  ///   - start: The start.
  ///   - end: The exclusive end.
  ///   - timeZone: The time zone of both times. On Linux, a named zone and `current` require full Foundation.
  public init(start: Date, end: Date, in timeZone: TimeZone) {
    self = .timed(
      start: OffsetDateTime(start, in: timeZone), end: OffsetDateTime(end, in: timeZone), timeZone: timeZone.identifier)
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
  /// Returns whether two periods have the same start and end, including their zones.
  public static func == (left: EventPeriod, right: EventPeriod) -> Bool {
    left.start == right.start && left.end == right.end
  }

  /// Hashes the start and the end.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(start)
    hasher.combine(end)
  }
}

extension Event {
  /// The period of the event, or `nil` if its start or end is missing, as in a deleted event, or if they do not match.
  ///
  /// Start and end match if both are dates, in order, or both are times. An end without a time zone uses the zone of the start.
  ///
  /// Setting the period sets the date, or the time and its zone, of ``start`` and ``end``. It clears their fields of the other kind,
  /// and keeps fields without a property.
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
  /// Returns the start or end, changed to another time.
  fileprivate func at(_ time: EventTime) -> EventDateTime {
    var other = self
    other.time = time
    return other
  }
}

extension Event.Patch {
  /// Sets the period of the event.
  ///
  /// The patch clears the fields of the other kind. A change between all-day and timed requires this.
  public mutating func setPeriod(_ period: EventPeriod) {
    start = .set(EventDateTime(period.start))
    end = .set(EventDateTime(period.end))
  }
}
