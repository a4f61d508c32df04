// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Recurrence
import Timekeeping

/// The user's calendars: what the Calendar API reads and writes.
///
/// Calendars come, change and go; the sample events stay.
struct CalendarLibrary: Sendable {
  private(set) var calendars: [SampleCalendar]
  /// How many changes there were: what a sync token remembers.
  private(set) var revision = 0
  let today: CivilDate
  /// The time zone of the primary calendar.
  let zone: Zone

  init(user: Sandbox.User, now: Timestamp) {
    // Google writes the time of a change in milliseconds, and the entity tag is made of it.
    let now = Timestamp(secondsSince1970: now.secondsSince1970)
    zone = Zone.named(user.timeZone) ?? .utc
    today = zone.date(at: now)
    let primary = CalendarPlan.primary.calendar(id: user.email, now: now, zone: zone, isPrimary: true)
    calendars =
      [primary]
      + (CalendarPlan.european + CalendarPlan.american + CalendarPlan.asian + CalendarPlan.special).map {
        $0.calendar(id: Self.id(for: $0.key), now: now)
      }
  }

  /// A shared calendar's identifier as Google makes them; one that is published has a name.
  private static func id(for key: String) -> String {
    if key.contains("#") { return "\(key)@group.v.calendar.example" }
    let digest = MessageDigest.sha256(key).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "c_\(digest)@group.calendar.example"
  }

  /// The calendar of this identifier; `primary` is the user's own.
  func calendar(_ id: String) -> SampleCalendar? {
    calendars.first { $0.id == id || ($0.isPrimary && id == "primary") }
  }

  /// A calendar without a name, which is not stored yet.
  func newCalendar(now: Timestamp) -> SampleCalendar {
    SampleCalendar(
      id: Self.id(for: "new/\(revision)"), summary: "", zone: zone,
      colorID: CalendarColors.calendar[revision % CalendarColors.calendar.count].id, updated: now)
  }

  /// Stores a new or changed calendar as the latest change.
  mutating func store(_ calendar: SampleCalendar, now: Timestamp) -> SampleCalendar {
    revision += 1
    var calendar = calendar
    calendar.updated = Timestamp(secondsSince1970: now.secondsSince1970)
    calendar.revision = revision
    if let index = calendars.firstIndex(where: { $0.id == calendar.id }) {
      calendars[index] = calendar
    } else {
      calendars.append(calendar)
    }
    return calendar
  }
}
