// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// A day, or a time of day, as `UNTIL` names it: iCalendar's `DATE` and `DATE-TIME`
/// ([RFC 5545 § 3.3.4 and § 3.3.5](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.4)).
public enum RecurrenceTime: Sendable, Hashable {
  /// A whole day: `20260228`.
  case date(CivilDate)
  /// A time on the clock of the zone that the context names: `20260228T093000`.
  case local(LocalDateTime)
  /// A time in UTC: `20260228T083000Z`.
  case utc(LocalDateTime)
}

extension RecurrenceTime: CustomStringConvertible {
  /// The form of iCalendar.
  public var description: String {
    switch self {
    case .date(let date): date.basic
    case .local(let time): time.description
    case .utc(let time): "\(time)Z"
    }
  }
}

extension RecurrenceTime {
  /// Reads the form of iCalendar.
  ///
  /// A second of 60 is read as 59, as
  /// [RFC 5545 § 3.3.12](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.12) says.
  ///
  /// - Throws: ``RecurrenceError`` with reason ``RecurrenceError/Reason/invalidTime``.
  public init(_ text: String) throws(RecurrenceError) {
    var reader = TextReader(text)
    self = try reader.time()
    try reader.end(.invalidTime)
  }

  /// The seconds that a clock counts up to it; up to midnight for a day.
  var seconds: Int64 {
    switch self {
    case .date(let date): Int64(date.daysSince1970) * Seconds.ofDay
    case .local(let time), .utc(let time): time.seconds
    }
  }

  /// The day that it is, or is on.
  var date: CivilDate {
    switch self {
    case .date(let date): date
    case .local(let time), .utc(let time): time.date
    }
  }
}
