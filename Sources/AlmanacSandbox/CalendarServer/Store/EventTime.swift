// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// The start or end of an event: a whole day, or an instant with its time zone.
enum EventTime: Sendable, Hashable {
  case day(CivilDate)
  case time(Timestamp, Zone)
}

extension EventTime {
  /// Reads an `EventDateTime`.
  ///
  /// - Parameters:
  ///   - name: The name of the field, for error messages.
  ///   - isSeries: Whether the event recurs. A recurring event requires a time zone.
  ///   - zone: The zone of the calendar.
  init(_ json: JSONValue?, _ name: String, isSeries: Bool, in zone: Zone) throws(APIFault) {
    let date = json?["date"]?.string
    let dateTime = json?["dateTime"]?.string
    guard date == nil || dateTime == nil else {
      throw .invalid("Invalid \(name) time: both date and dateTime are set.")
    }
    if let date {
      guard let day = try? CivilDate(rfc3339: date) else { throw .invalid("Invalid \(name) time.") }
      self = .day(day)
      return
    }
    guard let dateTime else { throw .required("Missing \(name) time.") }
    let named: Zone? =
      if let text = json?["timeZone"]?.string {
        try EventTime.zone(text, name)
      } else {
        nil
      }
    if let instant = try? Timestamp(rfc3339: dateTime) {
      guard named != nil || !isSeries else { throw .required("Missing time zone definition for \(name) time.") }
      self = .time(Timestamp(secondsSince1970: instant.secondsSince1970), named ?? zone)
      return
    }
    guard let shown = try? Timestamp(rfc3339: dateTime + "Z") else { throw .invalid("Invalid \(name) time.") }
    guard let named else { throw .required("Missing time zone definition for \(name) time.") }
    self = .time(named.timestamp(of: LocalDateTime(utc: shown)), named)
  }

  private static func zone(_ text: String, _ name: String) throws(APIFault) -> Zone {
    guard let zone = Zone.named(text) else { throw .invalid("Invalid time zone definition for \(name) time.") }
    return zone
  }

  var isDay: Bool {
    if case .day = self { return true }
    return false
  }

  /// Returns the instant.
  ///
  /// A day starts at midnight in the calendar's zone.
  func instant(in zone: Zone) -> Timestamp {
    switch self {
    case .day(let date): zone.instant(date, minuteOfDay: 0)
    case .time(let instant, _): instant
    }
  }

  /// A number identifying an instance within its series.
  var slot: Int64 {
    switch self {
    case .day(let date): Int64(date.daysSince1970)
    case .time(let instant, _): instant.secondsSince1970
    }
  }

  /// The time as the start of a series.
  var seriesTime: SeriesTime {
    switch self {
    case .day(let date): .date(date)
    case .time(let instant, let zone): .local(zone.local(at: instant), zone)
    }
  }

  /// Returns an `EventDateTime`, with the time in the reader's zone.
  func json(shownIn shown: Zone) -> JSONValue {
    switch self {
    case .day(let date): ["date": .string(date.description)]
    case .time(let instant, let zone):
      ["dateTime": .string(shown.rfc3339(instant)), "timeZone": .string(zone.identifier)]
    }
  }

  /// The instance suffix of an event identifier, such as `20250325` or `20250325T130000Z`.
  var instanceSuffix: String {
    switch self {
    case .day(let date): date.description.filter { $0 != "-" }
    case .time(let instant, _): instant.rfc3339(fractionDigits: 0).filter { $0 != "-" && $0 != ":" }
    }
  }
}
