// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation

let google = try GoogleAccount(
  clientID: "1234.apps.googleusercontent.com", clientSecret: .environment("GOOGLE_CLIENT_SECRET"),
  scopes: [.calendar])

try await google.authorize()

func printNextEvents(_ count: Int) async throws {
  let query = EventsResource.ListQuery(timeMin: .now, singleEvents: true, orderBy: .startTime)
  for try await event in google.calendar.events.all(in: "primary", query).prefix(count) {
    print(event.summary ?? "(no title)")
  }
}

try await printNextEvents(3)
