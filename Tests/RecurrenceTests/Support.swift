// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Testing
import Timekeeping

/// Reads `19970902T090000`, in UTC, or a day.
func time(_ text: String, in zone: Zone? = nil) throws -> SeriesTime {
  switch try RecurrenceTime(text) {
  case .date(let date): .date(date)
  case .local(let time): zone.map { .local(time, $0) } ?? .utc(time)
  case .utc(let time): .utc(time)
  }
}

func zone(_ identifier: String) throws -> Zone { try SystemZoneDatabase.shared.zone(identifier) }

extension RecurrenceSet {
  /// The first occurrences as their clocks show them: the day alone at midnight.
  func shown(_ count: Int) -> [String] {
    occurrences.prefix(count).map { start.isAllDay ? String($0.local.description.prefix(8)) : $0.local.description }
  }

  /// The first occurrences in UTC.
  func instants(_ count: Int) -> [String] {
    occurrences.prefix(count).map { $0.timestamp.rfc3339(fractionDigits: 0) }
  }
}

/// Summer time in Switzerland and in New York, without the system's database.
struct TwoZones: ZoneDatabase {
  func zone(_ identifier: String) throws(ZoneError) -> Zone {
    switch identifier {
    case "Europe/Zurich": try Zone(identifier: identifier, posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")
    case "America/New_York": try Zone(identifier: identifier, posixRule: "EST5EDT,M3.2.0,M11.1.0")
    default: throw ZoneError(.unknownIdentifier, identifier)
    }
  }
}
