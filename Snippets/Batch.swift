// SPDX-License-Identifier: Apache-2.0

// Send many requests in one batch. Each has its own typed result.
//
// It runs unchanged, with the sandbox in this process. For Google, use the account of SignInAndListCalendars.swift.
import Almanac
import AlmanacSandbox

let sandbox = Sandbox()
let google = try GoogleAccount(oauthAccount: sandbox.account(scopes: [.calendar]), apiURL: Sandbox.inProcessURL)
try await google.authorize()
let client = google.calendar

let lunch = try Event {
  $0.id = "lunch"
  $0.summary = "Lunch"
  $0.start = EventDateTime(date: try CivilDate(rfc3339: "2026-12-01"))
  $0.end = EventDateTime(date: try CivilDate(rfc3339: "2026-12-02"))
}
let (inserted, colors, _) = try await client.batch(
  EventsResource.insert(lunch, in: "primary"),
  ColorsResource.get(),
  EventsResource.delete("dinner", in: "primary"))
print(try inserted.get().summary ?? "", try colors.get().event?.count ?? 0)

let ids = ["lunch", "brunch"]
let events = try await client.batch(ids.map { EventsResource.get($0, in: "primary") })
for (id, event) in zip(ids, events) {
  switch event {
  case .success(let event): print("\(id): \(event.summary ?? "(no title)")")
  case .failure(let error): print("\(id): \(error.code)")
  }
}
