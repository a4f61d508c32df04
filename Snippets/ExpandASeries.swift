// SPDX-License-Identifier: Apache-2.0

// Expand a recurring event of Google Calendar into its occurrences.
import Foundation
import Recurrence
import Timekeeping

let zurich = try SystemZoneDatabase.shared.zone("Europe/Zurich")
let first = try CivilDate(rfc3339: "2026-03-23")
guard let start = LocalDateTime(first, hour: 9) else { exit(1) }
let series = try RecurrenceSet(
  start: .local(start, zurich),
  lines: ["RRULE:FREQ=WEEKLY;BYDAY=MO,FR;COUNT=6", "EXDATE;TZID=Europe/Zurich:20260330T090000"])

for occurrence in series.occurrences {
  print(occurrence.local, occurrence.timestamp)  // 09:00 in Zürich, before and after the start of daylight saving time
}
let april = try CivilDate(rfc3339: "2026-04-01")
let inApril = Array(series.occurrences(from: april, to: april.adding(days: 30)))
