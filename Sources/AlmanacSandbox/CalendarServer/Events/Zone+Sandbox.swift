// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

extension Zone {
  /// Returns the zone with an identifier in the system's database, or `nil`.
  static func named(_ identifier: String) -> Zone? { try? SystemZoneDatabase.shared.zone(identifier) }

  /// Returns the instant of a local date and time.
  func instant(_ date: CivilDate, minuteOfDay: Int) -> Timestamp {
    guard let local = LocalDateTime(date, hour: minuteOfDay / 60, minute: minuteOfDay % 60) else {
      return date.startOfDayInUTC
    }
    return timestamp(of: local)
  }

  /// Returns the local date at an instant.
  func date(at instant: Timestamp) -> CivilDate { local(at: instant).date }

  func rfc3339(_ instant: Timestamp) -> String {
    OffsetDateTime(instant, offsetSeconds: offset(at: instant))?.rfc3339(fractionDigits: 0) ?? instant.rfc3339()
  }
}
