// SPDX-License-Identifier: Apache-2.0

// The next ten events of all calendars, in the time zone of this computer.
//
// It runs unchanged, with the sandbox in this process. For Google, use the account of SignInAndListCalendars.swift.
import Almanac
import AlmanacSandbox
import Foundation

let sandbox = Sandbox()
let google = try GoogleAccount(oauthAccount: sandbox.account(scopes: [.calendarReadOnly]), apiURL: Sandbox.inProcessURL)
try await google.authorize()

var agenda: [(start: Timestamp, event: Event, calendar: CalendarListEntry)] = []
let query = EventsResource.ListQuery(
  timeMin: .now, singleEvents: true, orderBy: .startTime, maxResults: 10)
for try await calendar in google.calendar.calendarList.all() {
  guard let id = calendar.id else { continue }
  // At most ten events of each calendar are needed.
  for try await event in google.calendar.events.all(in: id, query).prefix(10) {
    // An all-day event starts at midnight in the local time zone.
    guard let start = event.start?.instant(in: .current) else { continue }
    agenda.append((start, event, calendar))
  }
}
for item in agenda.sorted(by: { $0.start < $1.start }).prefix(10) {
  let isAllDay = item.event.start?.date != nil
  let time = Date(item.start).formatted(date: .abbreviated, time: isAllDay ? .omitted : .shortened)
  print(time, item.event.summary ?? "(no title)", item.calendar.title, separator: "  ")
}
