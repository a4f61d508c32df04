// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// A value of `BYDAY`: every such day of the week, or the one with a number in its month or year (`weekdaynum` of
/// [RFC 5545 § 3.3.10](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.10)).
public struct WeekdayNumber: Sendable, Hashable {
  /// Which one of the month or year, 1 to 53, or from its end, -1 to -53; `nil` for each.
  public let ordinal: Int?
  /// The day of the week.
  public let weekday: Weekday

  /// Creates a value of `BYDAY`.
  ///
  /// - Parameters:
  ///   - weekday: The day of the week.
  ///   - ordinal: Which one of the month or year; negative from its end. Defaults to each.
  public init(_ weekday: Weekday, ordinal: Int? = nil) {
    self.weekday = weekday
    self.ordinal = ordinal
  }
}

extension WeekdayNumber: CustomStringConvertible {
  /// `MO`, `2MO`, `-1MO`.
  public var description: String { (ordinal.map(String.init) ?? "") + weekday.code }
}

extension Weekday {
  /// The two letters of iCalendar.
  var code: String { Self.codes[rawValue] }

  static let codes = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
}
