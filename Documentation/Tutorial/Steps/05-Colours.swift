// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox

let sandbox = Sandbox()
let google = try GoogleAccount(oauthAccount: sandbox.account(scopes: [.calendar]), apiURL: Sandbox.inProcessURL)

try await google.authorize()

for try await calendar in google.calendar.calendarList.all() {
  print(calendar.backgroundColor ?? .white, calendar.title)
}
