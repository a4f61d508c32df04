// SPDX-License-Identifier: Apache-2.0

// A program on or off Google Cloud that calls Google's APIs for itself, and a service on Cloud Run.
import CalendarAPI
import GoogleCredentials
import HTTPTransport
import HTTPTransportCurl
import OAuthCore

let http = CurlTransport().retrying()  // on Apple's platforms, URLSessionTransport()
let google = try await GoogleCredential.applicationDefault(
  scopes: ["https://www.googleapis.com/auth/calendar.readonly"], in: CredentialEnvironment(transport: http))
let calendar = CalendarClient(
  transport: http.authorized(by: google, for: [.googleAPIs], presentation: google.presentation))
for try await event in calendar.events.all(in: "team@group.calendar.google.com") {
  print(event.summary ?? "(no title)")
}

let address = "https://reports-abc-ew.a.run.app"
let reports = http.authorized(by: try google.idTokens(for: address), for: [address])
print(try await reports.call(.get, address + "/today") as String)
