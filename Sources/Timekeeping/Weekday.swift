// SPDX-License-Identifier: Apache-2.0

/// A day of the week.
public enum Weekday: Int, Sendable, CaseIterable {
  /// Sunday.
  case sunday
  /// Monday.
  case monday
  /// Tuesday.
  case tuesday
  /// Wednesday.
  case wednesday
  /// Thursday.
  case thursday
  /// Friday.
  case friday
  /// Saturday.
  case saturday

  /// The name in English.
  package var englishName: String {
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][rawValue]
  }
}

extension CivilDate {
  /// The day of the week.
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday.
    Weekday(rawValue: ((daysSince1970 + 4) % 7 + 7) % 7) ?? .sunday
  }
}
