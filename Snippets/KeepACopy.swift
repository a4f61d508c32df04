// SPDX-License-Identifier: Apache-2.0

// A local copy of all calendars, which the second synchronization brings up to date with a few small requests.
//
// It runs unchanged, with the sandbox in this process. For Google, use the account of SignInAndListCalendars.swift.
import Almanac
import AlmanacSandbox
import CalendarSync
import Recurrence

let sandbox = Sandbox()
let google = try GoogleAccount(oauthAccount: sandbox.account(scopes: [.calendar]), apiURL: Sandbox.inProcessURL)
try await google.authorize()

let store = InMemoryCalendarStore()
let synchronizer = CalendarSynchronizer(client: google.calendar, store: store, account: "me")
let first = try await synchronizer.synchronize()
print("copied:", first.inserted > 0, "failed:", first.failures.count)

let changes = synchronizer.changes
_ = try await google.calendar.events.quickAdd("Lunch tomorrow at noon", in: "primary")
print("failed:", try await synchronizer.synchronize().failures.count)
for await change in changes.prefix(1) {
  if case .event(let event) = change.after { print(change.kind, event.summary ?? "") }
}

let zone = try SystemZoneDatabase.shared.zone("Europe/Madrid")
let now = SystemClock().now
for try await calendar in store.calendars(for: "me").prefix(3) {
  let week = try await store.occurrences(
    in: [calendar.id ?? ""], for: "me", from: now, to: now + .seconds(7 * 86_400), zone: zone)
  print(calendar.title, week.count)
}

for try await found in store.events(matching: EventQuery(text: "lunch"), for: "me") {
  print("found:", found.event.summary ?? "")
}
