// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import GoogleCredentials
// Test a service account that opens a user's calendar by domain-wide delegation, without network, account or Google key.
import HTTPTransport

let clock = ManualClock(skipsWaits: true)
let email = "robot@sandbox-project.iam.gserviceaccount.com"
let keyFile = try await GoogleCloudSandbox.KeyFile.make(for: email)
var robot = GoogleCloudSandbox.ServiceAccount(email: email, keys: keyFile.publicKeys)
robot.delegators = ["ana@example.com"]  // Domain-wide delegation.
robot.tokenCreators = [robot.email]  // An account needs the role to impersonate itself, too.
let sandbox = Sandbox(clock: clock) {
  $0.user = Sandbox.User(email: "ana@example.com")
  $0.googleCloud = .init(serviceAccounts: [robot])
}
let transport = sandbox.transport()  // Serves Google Cloud's hosts, too.

let credential = try GoogleCredential.json(
  Array(keyFile.content.reveal().utf8), scopes: [.calendarReadOnly], subject: "ana@example.com",
  in: CredentialEnvironment(transport: transport, clock: clock, variables: [:]))
let api = transport.authorized(by: credential, for: [Sandbox.inProcessURL])
let calendar = CalendarClient(transport: api, baseURL: Sandbox.inProcessURL)
print(try await calendar.calendars.get("primary").id ?? "none")
