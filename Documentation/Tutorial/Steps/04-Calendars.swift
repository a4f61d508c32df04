// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox

let sandbox = Sandbox()
let google = try GoogleAccount(
  clientID: Sandbox.Client.native.id, scopes: [.calendar],
  services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
  transport: sandbox.transport(), storage: InMemoryTokenStorage(), userAgent: sandbox.approvingUser)

try await google.authorize()

for try await calendar in google.calendar.calendarList.all() {
  print(calendar.title)
}
