// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation
public import Timekeeping

/// The start or end of an event: a date or a time.
public enum EventTime: Sendable, Hashable {
  /// The start or the exclusive end of an all-day event.
  case allDay(CivilDate)
  /// The start or end of a timed event, and the IANA name of its time zone.
  case timed(OffsetDateTime, timeZone: String? = nil)
}

extension EventDateTime {
  /// Creates the start or end of an all-day event.
  public init(date: CivilDate) { self.init(.allDay(date)) }

  /// Creates the start or end of a timed event.
  ///
  /// - Parameter timeZone: The IANA name of the time zone. Required for a recurring event.
  public init(dateTime: OffsetDateTime, timeZone: String? = nil) { self.init(.timed(dateTime, timeZone: timeZone)) }

  /// Creates the start or end of an event.
  public init(_ time: EventTime) {
    self.init()
    self.time = time
  }

  /// The date or time, or `nil` if both are missing.
  ///
  /// Setting it clears the fields of the other kind, and invalid values of these fields in ``additionalFields``.
  public var time: EventTime? {
    get {
      if let dateTime { return .timed(dateTime, timeZone: timeZone) }
      return date.map(EventTime.allDay)
    }
    set {
      if !additionalFields.isEmpty { for name in Self.fieldNames { additionalFields[name] = nil } }
      switch newValue {
      case .allDay(let date):
        (self.date, dateTime, timeZone) = (date, nil, nil)
      case .timed(let dateTime, let timeZone):
        (date, self.dateTime, self.timeZone) = (nil, dateTime, timeZone)
      case nil:
        (date, dateTime, timeZone) = (nil, nil, nil)
      }
    }
  }
}

extension EventDateTime {
  /// Returns the instant of the start or end, or `nil` if it has neither a date nor a time.
  ///
  /// An all-day event starts and ends with the day in the user's time zone. See `CivilDate.start(in:)`.
  ///
  /// - Parameter timeZone: The time zone of an all-day date, such as the zone of the user's calendar. It is ignored for a time, which
  ///   has its own offset. On Linux, a named zone and `current` require full Foundation.
  public func instant(in timeZone: TimeZone) -> Timestamp? {
    if let dateTime { return dateTime.timestamp }
    return date.map { $0.start(in: timeZone) }
  }
}

extension CivilDate {
  /// Returns the first instant of the day in a time zone.
  ///
  /// ```swift
  /// let today = CivilDate(.now, in: .current)
  /// let (start, end) = (today.start(in: .current), today.adding(days: 1).start(in: .current))
  /// ```
  ///
  /// If midnight is skipped, the day starts after the gap. If midnight is repeated, the day starts at the first of the two instants.
  ///
  /// - Parameter timeZone: The time zone. On Linux, a named zone and `current` require full Foundation.
  public func start(in timeZone: TimeZone) -> Timestamp {
    if let midnight = timeZone.instant(of: startOfDayInUTC) { return midnight }
    // Midnight is skipped: the day starts when the offset changes.
    let (before, after) = timeZone.offsets(around: startOfDayInUTC)
    var (low, high) = (-Swift.max(before, after), -Swift.min(before, after))
    while high - low > 1 {
      let middle = (low + high) / 2
      if timeZone.offset(at: startOfDayInUTC + .seconds(middle)) == after { high = middle } else { low = middle }
    }
    return startOfDayInUTC + .seconds(high)
  }
}

extension TimeZone {
  /// Returns the offset from UTC at an instant, in seconds, positive east of UTC.
  func offset(at instant: Timestamp) -> Int { secondsFromGMT(for: Date(instant)) }

  /// Returns the offsets a day before and a day after a local time.
  ///
  /// The parameter is the instant at which UTC has the same date and time.
  func offsets(around local: Timestamp) -> (before: Int, after: Int) {
    (offset(at: local - .seconds(86_400)), offset(at: local + .seconds(86_400)))
  }

  /// Returns the first instant of a local time, or `nil` if the local time is skipped.
  ///
  /// The parameter is the instant at which UTC has the same date and time.
  func instant(of local: Timestamp) -> Timestamp? {
    let (before, after) = offsets(around: local)
    return [before, after].lazy.map { (offset: $0, instant: local - .seconds($0)) }
      .first { offset(at: $0.instant) == $0.offset }?.instant
  }
}
