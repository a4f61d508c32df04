// SPDX-License-Identifier: Apache-2.0

// Move one instance of a weekly meeting and all following ones, after a look at the instances that result.
//
// It runs unchanged, with the sandbox in this process. For Google, use the account of SignInAndListCalendars.swift.
import Almanac
import AlmanacSandbox
import CalendarSync
import Foundation
import Recurrence

let sandbox = Sandbox()
let google = try GoogleAccount(oauthAccount: sandbox.account(scopes: [.calendar]), apiURL: Sandbox.inProcessURL)
try await google.authorize()

let madrid = TimeZone(identifier: "Europe/Madrid") ?? .gmt
let monday = try CivilDate(rfc3339: "2026-03-02")
let meeting = Event {
  $0.summary = "Team meeting"
  $0.period = .on(monday, at: 9, for: .seconds(3600), in: madrid)
  $0.recurrence = ["RRULE:FREQ=WEEKLY;COUNT=6"]
}
let inserted = try await google.calendar.events.insert(meeting, in: "primary")
let calendarID = try await google.calendar.calendars.get("primary").id ?? ""

let store = InMemoryCalendarStore()
let synchronizer = CalendarSynchronizer(client: google.calendar, store: store, account: "me")
print("failed:", try await synchronizer.synchronize().failures.count)

let zone = try SystemZoneDatabase.shared.zone("Europe/Madrid")
let (start, end) = (monday.startOfDayInUTC, monday.adding(days: 60).startOfDayInUTC)
let instances = try await store.occurrences(in: [calendarID], for: "me", from: start, to: end, zone: zone)
  .filter { $0.event.recurringEventID == inserted.id }

// From the fourth instance on, the meeting begins half an hour later.
let editor = CalendarEditor(client: google.calendar, store: store, account: "me")
if let series = try await store.series(inserted.id ?? "", in: calendarID, for: "me") {
  let plan = try series.planEdit(.thisAndFollowing, of: instances[3].event) { event in
    event.summary = "Stand-up"
    event.period = .on(monday.adding(days: 21), at: 9, 30, for: .seconds(900), in: madrid)
  }
  for occurrence in plan.preview(from: start, to: end, zone: zone).after {
    print(zone.local(at: occurrence.start), occurrence.event.summary ?? "")
  }
  try await editor.perform(plan)
}

// The first instance alone gets another title.
try await editor.edit(.this, of: instances[0]) { $0.summary = "Kick-off" }
print("remaining:", try await editor.send().count)

print("failed:", try await synchronizer.synchronize().failures.count)
let found = try await store.occurrences(in: [calendarID], for: "me", from: start, to: end, zone: zone)
print("stand-ups:", found.count { $0.event.summary == "Stand-up" })
print("kick-offs:", found.count { $0.event.summary == "Kick-off" })
