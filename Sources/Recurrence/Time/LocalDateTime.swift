// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// A date and time without a time zone, with a resolution of one second
/// ([RFC 5545 § 3.3.5](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.5), form 1).
public struct LocalDateTime: Sendable, Hashable {
  /// The seconds from 1970-01-01T00:00:00 local time, without regard to changes of the offset.
  let seconds: Int64

  init(unchecked seconds: Int64) {
    self.seconds = Swift.min(Swift.max(seconds, Seconds.firstOfCalendar), Seconds.lastOfCalendar)
  }

  /// Creates a local time, or `nil` if the hour is not 0 to 23, or the minute or second is not 0 to 59.
  public init?(_ date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
    seconds = Int64(date.daysSince1970) * Seconds.ofDay + Int64(hour * 3600 + minute * 60 + second)
  }

  /// Creates the local time in UTC of an instant.
  ///
  /// Fractions of a second are dropped. Instants outside the years 0 to 9999 are clamped to this range.
  public init(utc timestamp: Timestamp) {
    self.init(unchecked: timestamp.secondsSince1970)
  }
}

extension LocalDateTime {
  /// The day.
  public var date: CivilDate { CivilDate(daysSince1970: Int(seconds.floored(by: Seconds.ofDay))) }
  /// The hour, 0 to 23.
  public var hour: Int { secondOfDay / 3600 }
  /// The minute, 0 to 59.
  public var minute: Int { secondOfDay / 60 % 60 }
  /// The second, 0 to 59.
  public var second: Int { secondOfDay % 60 }

  /// Seconds since midnight.
  var secondOfDay: Int { Int(seconds.remainder(by: Seconds.ofDay)) }

  /// The instant of this local time in UTC.
  public var timestampInUTC: Timestamp { Timestamp(secondsSince1970: seconds) }
}

extension LocalDateTime: Comparable {
  /// Whether the first is earlier than the second in the same zone.
  public static func < (left: LocalDateTime, right: LocalDateTime) -> Bool { left.seconds < right.seconds }
}

extension LocalDateTime: CustomStringConvertible {
  /// The iCalendar form, `YYYYMMDDTHHMMSS`.
  public var description: String {
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(date.basic)T\(digits(hour))\(digits(minute))\(digits(second))"
  }
}

extension CivilDate {
  /// The iCalendar form, `YYYYMMDD`.
  var basic: String { description.filter { $0 != "-" } }
}
