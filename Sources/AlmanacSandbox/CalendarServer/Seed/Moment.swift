// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

/// The start or end of an event: a whole day, or a time of day in a zone.
enum Moment: Sendable, Hashable {
  case day(CivilDate)
  case time(CivilDate, minuteOfDay: Int, Zone)

  var date: CivilDate {
    switch self {
    case .day(let date), .time(let date, _, _): date
    }
  }

  /// Returns the instant.
  ///
  /// A day starts at midnight in the calendar's zone.
  func instant(in calendarZone: Zone) -> Timestamp {
    switch self {
    case .day(let date): calendarZone.instant(date, minuteOfDay: 0)
    case .time(let date, let minute, let zone): zone.instant(date, minuteOfDay: minute)
    }
  }

  /// Returns the same time of day, a number of days later.
  func adding(days: Int) -> Moment {
    switch self {
    case .day(let date): .day(date.adding(days: days))
    case .time(let date, let minute, let zone): .time(date.adding(days: days), minuteOfDay: minute, zone)
    }
  }

  /// Returns a later time.
  ///
  /// A whole day does not change.
  func adding(minutes: Int) -> Moment {
    switch self {
    case .day: return self
    case .time(let date, let minute, let zone):
      let sum = minute + minutes
      return .time(date.adding(days: sum / 1440), minuteOfDay: sum % 1440, zone)
    }
  }

  /// The instance suffix of an event identifier, such as `20250325` or `20250325T130000Z`.
  var instanceSuffix: String {
    switch self {
    case .day(let date): return date.description.filter { $0 != "-" }
    case .time(_, _, let zone):
      return instant(in: zone).rfc3339(fractionDigits: 0).filter { $0 != "-" && $0 != ":" }
    }
  }
}
