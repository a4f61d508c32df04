// SPDX-License-Identifier: Apache-2.0

// Send many requests as one: each has a result of its own, with the type of its response.
import Almanac

let google = try GoogleAccount(
  clientID: "1234.apps.googleusercontent.com", clientSecret: .environment("GOOGLE_CLIENT_SECRET"),
  scopes: [.calendar])
let client = google.calendar

let (lunch, colors, _) = try await client.batch(
  EventsResource.insert(Event { $0.summary = "Lunch" }, calendarId: "primary"),
  ColorsResource.get(),
  EventsResource.delete(calendarId: "primary", eventId: "dinner"))
print(try lunch.get().id ?? "", try colors.get().event?.count ?? 0)

let ids = ["breakfast", "brunch", "supper"]
let events = try await client.batch(ids.map { EventsResource.get(calendarId: "primary", eventId: $0) })
for (id, event) in zip(ids, events) {
  switch event {
  case .success(let event): print(event.summary ?? "(no title)")
  case .failure(let error): print("\(id): \(error.code)")
  }
}
