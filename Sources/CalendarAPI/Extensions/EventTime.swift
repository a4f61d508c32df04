// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
  public init(_ dateTime: OffsetDateTime, timeZone: String? = nil) { self.init(.timed(dateTime, timeZone: timeZone)) }

  /// Creates the start or end of an event.
  public init(_ time: EventTime) {
    self.init()
    self.time = time
  }

  /// The date or time; `nil` if there is neither.
  ///
  /// Setting it clears the fields of the other kind, and values of these fields that did not fit them.
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
  /// Returns the instant of the start or end; `nil` if it has neither a date nor a time.
  ///
  /// An all-day event begins and ends with the day where the user is. Where clocks are set forward over midnight, the day begins
  /// after the gap; where they are set back over it, the first of its beginnings counts.
  ///
  /// - Parameter timeZone: The time zone of an all-day date, such as that of the user's calendar. A time has an offset of its own.
  ///   On Linux a named zone comes with the whole of Foundation.
  public func instant(in timeZone: TimeZone) -> Timestamp? {
    if let dateTime { return dateTime.timestamp }
    return date.map { $0.start(in: timeZone) }
  }
}

extension CivilDate {
  /// The first instant of the day in a time zone.
  fileprivate func start(in timeZone: TimeZone) -> Timestamp {
    if let midnight = timeZone.instant(of: startOfDay) { return midnight }
    // Midnight is skipped: the day begins where the offset changes.
    let (before, after) = timeZone.offsets(around: startOfDay)
    var (low, high) = (-Swift.max(before, after), -Swift.min(before, after))
    while high - low > 1 {
      let middle = (low + high) / 2
      if timeZone.offset(at: startOfDay + .seconds(middle)) == after { high = middle } else { low = middle }
    }
    return startOfDay + .seconds(high)
  }
}

extension TimeZone {
  /// The seconds that its clocks are ahead of UTC.
  func offset(at instant: Timestamp) -> Int { secondsFromGMT(for: Date(instant)) }

  /// The offsets a day before and after its clocks show what UTC's show at `local`.
  func offsets(around local: Timestamp) -> (before: Int, after: Int) {
    (offset(at: local - .seconds(86_400)), offset(at: local + .seconds(86_400)))
  }

  /// The first instant at which its clocks show what UTC's show at `local`; `nil` if they skip it.
  func instant(of local: Timestamp) -> Timestamp? {
    let (before, after) = offsets(around: local)
    return [before, after].lazy.map { (offset: $0, instant: local - .seconds($0)) }
      .first { offset(at: $0.instant) == $0.offset }?.instant
  }

  /// The time that its clocks show.
  ///
  /// RFC 3339 has offsets of whole minutes, so that one with seconds, as some had before 1972, is cut.
  func dateTime(at instant: Timestamp) -> OffsetDateTime {
    OffsetDateTime(instant, offsetSeconds: offset(at: instant) / 60 * 60) ?? OffsetDateTime(instant)
  }
}
