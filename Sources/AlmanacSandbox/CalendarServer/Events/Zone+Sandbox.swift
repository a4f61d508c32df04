// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

extension Zone {
  /// The zone of this name in the system's database; `nil` if there is none.
  static func named(_ identifier: String) -> Zone? { try? SystemZoneDatabase.shared.zone(identifier) }

  /// The instant at which the zone's clocks show a time.
  func instant(_ date: CivilDate, minuteOfDay: Int) -> Timestamp {
    guard let local = LocalDateTime(date, hour: minuteOfDay / 60, minute: minuteOfDay % 60) else {
      return date.startOfDay
    }
    return timestamp(of: local)
  }

  /// The day that the zone's calendars show.
  func date(at instant: Timestamp) -> CivilDate { local(at: instant).date }

  func rfc3339(_ instant: Timestamp) -> String {
    OffsetDateTime(instant, offsetSeconds: offset(at: instant))?.rfc3339(fractionDigits: 0) ?? instant.rfc3339()
  }
}
