// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import Foundation

let sandbox = Sandbox()
let google = try GoogleAccount(oauthAccount: sandbox.account(scopes: [.calendar]), apiURL: Sandbox.inProcessURL)

try await google.authorize()

func printNextEvents(_ count: Int) async throws {
  let query = EventsResource.ListQuery(timeMin: .now, singleEvents: true, orderBy: .startTime)
  for try await event in google.calendar.events.all(in: "primary", query).prefix(count) {
    print(event.summary ?? "(no title)")
  }
}

try await printNextEvents(3)

let tea = Event {
  $0.summary = "Tea"
  $0.period = .today(at: 15, for: .seconds(1800), in: .current)
}
let inserted = try await google.calendar.events.insert(tea, in: "primary")
print("Inserted:", inserted.summary ?? "")
