// SPDX-License-Identifier: Apache-2.0

// Test a Google account without network, disk or waiting.
import Almanac
import AlmanacSandbox
import AlmanacTesting

let clock = ManualClock(skipsWaits: true)  // delays between attempts end at once
let sandbox = Sandbox(clock: clock)
let google = try GoogleAccount(oauthAccount: sandbox.account(scopes: [.calendarReadOnly]), apiURL: Sandbox.inProcessURL)

try await google.authorize()
clock.advance(by: .seconds(3600))  // the access token expires
for try await entry in google.calendar.calendarList.all() {
  print(entry.title)
}
assert(sandbox.refreshRequestCount == 1)
