// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// A day and a time of day as a clock shows them, to the second, in no particular time zone
/// ([RFC 5545 § 3.3.5](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.5), form 1).
public struct LocalDateTime: Sendable, Hashable {
  /// Seconds that the same clock has counted since 1970-01-01T00:00:00, if it was never set.
  let seconds: Int64

  init(unchecked seconds: Int64) {
    self.seconds = Swift.min(Swift.max(seconds, Seconds.firstOfCalendar), Seconds.lastOfCalendar)
  }

  /// Creates a local time; `nil` unless the hour is 0 to 23, and minute and second are 0 to 59.
  public init?(_ date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
    seconds = Int64(date.daysSince1970) * Seconds.ofDay + Int64(hour * 3600 + minute * 60 + second)
  }

  /// Creates what a clock in UTC shows at an instant; fractions of a second are cut off, and a year beyond 0 to 9999
  /// becomes the nearest time that can be written.
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

  /// The instant at which a clock in UTC shows this.
  public var timestampInUTC: Timestamp { Timestamp(secondsSince1970: seconds) }
}

extension LocalDateTime: Comparable {
  /// Whether the first is earlier than the second on the same clock.
  public static func < (left: LocalDateTime, right: LocalDateTime) -> Bool { left.seconds < right.seconds }
}

extension LocalDateTime: CustomStringConvertible {
  /// `YYYYMMDDTHHMMSS`, the form of iCalendar.
  public var description: String {
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(date.basic)T\(digits(hour))\(digits(minute))\(digits(second))"
  }
}

extension CivilDate {
  /// `YYYYMMDD`, the form of iCalendar.
  var basic: String { description.filter { $0 != "-" } }
}
