// SPDX-License-Identifier: Apache-2.0

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
