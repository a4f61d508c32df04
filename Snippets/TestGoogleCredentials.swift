// SPDX-License-Identifier: Apache-2.0

// Test a program that finds its Google Cloud credential in the environment, without Google.
import AlmanacSandbox
import AlmanacTesting
import GoogleCredentials
import HTTPTransport
import OAuthCore
import TokenStore

// The clock does not skip waits: the metadata server's time limit would end at once.
let clock = ManualClock()
let robot = "robot@project.iam.gserviceaccount.com"
var configuration = GoogleCloudSandbox.Configuration(serviceAccounts: [.init(email: robot)])
configuration.attachedAccount = robot
let cloud = GoogleCloudSandbox(clock: clock, configuration: configuration)

let google = try await GoogleCredential.applicationDefault(
  scopes: ["https://www.googleapis.com/auth/calendar.readonly"],
  in: CredentialEnvironment(transport: cloud.transport(), clock: clock, variables: ["HOME": "/nowhere"]))
let token = try await google.accessToken()
print(google.kind, cloud.identity(ofAccessToken: token.value.reveal())?.principal ?? "nobody")

clock.advance(by: .seconds(3600))  // the access token expires
print(try await google.accessToken() == token)
