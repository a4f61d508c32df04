// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// When a series starts, or a date that is added to it or taken from it: `DTSTART`, `RDATE` and `EXDATE` with their zone
/// ([RFC 5545 § 3.8.2.4](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.8.2.4)).
public enum SeriesTime: Sendable, Hashable {
  /// A whole day, in no zone.
  case date(CivilDate)
  /// A time on the clocks of a zone.
  case local(LocalDateTime, Zone)
  /// A time in UTC.
  case utc(LocalDateTime)
}

extension SeriesTime {
  /// The zone whose clocks the series goes by; UTC for whole days.
  public var zone: Zone {
    if case .local(_, let zone) = self { return zone }
    return .utc
  }

  /// Whether it is a whole day.
  public var isAllDay: Bool {
    if case .date = self { return true }
    return false
  }

  /// The time on the clocks of ``zone``: midnight for a whole day.
  public var local: LocalDateTime {
    switch self {
    case .date(let date): LocalDateTime(unchecked: Int64(date.daysSince1970) * Seconds.ofDay)
    case .local(let time, _), .utc(let time): time
    }
  }

  /// The instant: midnight in UTC for a whole day.
  public var timestamp: Timestamp { zone.timestamp(of: local) }
}
