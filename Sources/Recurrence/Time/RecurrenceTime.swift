// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// A date, or a date with a time, as in `UNTIL`: iCalendar's `DATE` and `DATE-TIME`
/// ([RFC 5545 § 3.3.4 and § 3.3.5](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.4)).
public enum RecurrenceTime: Sendable, Hashable {
  /// A whole day: `20260228`.
  case date(CivilDate)
  /// A local time without a zone, which the context determines: `20260228T093000`.
  case local(LocalDateTime)
  /// A time in UTC: `20260228T083000Z`.
  case utc(LocalDateTime)
}

extension RecurrenceTime: CustomStringConvertible {
  /// The iCalendar form.
  public var description: String {
    switch self {
    case .date(let date): date.basic
    case .local(let time): time.description
    case .utc(let time): "\(time)Z"
    }
  }
}

extension RecurrenceTime {
  /// Reads the iCalendar form.
  ///
  /// A second of 60 is read as 59
  /// ([RFC 5545 § 3.3.12](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.12)).
  ///
  /// - Throws: ``RecurrenceError`` with reason ``RecurrenceError/Reason/invalidTime``.
  public init(_ text: String) throws(RecurrenceError) {
    var reader = TextReader(text)
    self = try reader.time()
    try reader.end(.invalidTime)
  }

  /// The seconds since 1970 of the time as written, regardless of its zone, at midnight for a date.
  var seconds: Int64 {
    switch self {
    case .date(let date): Int64(date.daysSince1970) * Seconds.ofDay
    case .local(let time), .utc(let time): time.seconds
    }
  }

  /// The date, without the time.
  var date: CivilDate {
    switch self {
    case .date(let date): date
    case .local(let time), .utc(let time): time.date
    }
  }
}

/// A start, additional date or excluded date of a series: `DTSTART`, `RDATE` and `EXDATE` with their zone
/// ([RFC 5545 § 3.8.2.4](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.8.2.4)).
public enum SeriesTime: Sendable, Hashable {
  /// A whole day, without a zone.
  case date(CivilDate)
  /// A local time in a zone.
  case local(LocalDateTime, Zone)
  /// A time in UTC.
  case utc(LocalDateTime)
}

extension SeriesTime {
  /// The time zone, UTC for whole days and times in UTC.
  public var zone: Zone {
    if case .local(_, let zone) = self { return zone }
    return .utc
  }

  /// Whether the value is a whole day.
  public var isAllDay: Bool {
    if case .date = self { return true }
    return false
  }

  /// The local time in ``zone``, midnight for a whole day.
  public var local: LocalDateTime {
    switch self {
    case .date(let date): LocalDateTime(unchecked: Int64(date.daysSince1970) * Seconds.ofDay)
    case .local(let time, _), .utc(let time): time
    }
  }

  /// The instant, midnight in UTC for a whole day.
  public var timestamp: Timestamp { zone.timestamp(of: local) }
}
