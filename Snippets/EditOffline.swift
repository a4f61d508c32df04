// SPDX-License-Identifier: Apache-2.0

// Edit the copy of a calendar without network, send the edits later, and resolve a conflict with another client.
//
// It runs unchanged, with the sandbox in this process. For Google, use the account of SignInAndListCalendars.swift.
import Almanac
import AlmanacSandbox
import CalendarSync

let sandbox = Sandbox()
let google = try GoogleAccount(oauthAccount: sandbox.account(scopes: [.calendar]), apiURL: Sandbox.inProcessURL)
try await google.authorize()

let store = InMemoryCalendarStore()
let synchronizer = CalendarSynchronizer(client: google.calendar, store: store, account: "me")
print("failed:", try await synchronizer.synchronize().failures.count)
let calendarID = try await google.calendar.calendars.get("primary").id ?? ""

// Without network: both edits are in the copy.
let editor = CalendarEditor(client: google.calendar, store: store, account: "me")
let day = try CivilDate(rfc3339: "2026-03-02")
let picnic = Event {
  $0.summary = "Picnic"
  $0.period = .allDay(day..<day.adding(days: 1))
}
let id = try await editor.insert(picnic, in: calendarID).id ?? ""
try await editor.edit(id, in: calendarID) { $0.location = "Park" }
for try await found in store.events(matching: EventQuery(text: "picnic"), for: "me") {
  print(found.event.summary ?? "", found.event.location ?? "", found.isPending)
}

// With network again.
print("remaining:", try await editor.send().count)

// Another client and this one change the same field.
try await editor.edit(id, in: calendarID) { $0.location = "Lake" }
try await google.calendar.events.patch(Event.Patch { $0.location = .set("Forest") }, for: id, in: calendarID)
for edit in try await editor.send() {
  switch edit.state {
  case .conflict(let conflict):
    print(conflict.base.location ?? "", conflict.ours?.location ?? "", conflict.theirs?.location ?? "")
    try await editor.resolve(edit, by: .ours)
  case .refused(let reason):
    print(reason)
    try await editor.discard(edit)
  default: break
  }
}
print("remaining:", try await editor.send().count)
print(try await google.calendar.events.get(id, in: calendarID).location ?? "")
