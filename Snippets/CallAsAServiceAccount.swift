// SPDX-License-Identifier: Apache-2.0

// Call Google's APIs and a service on Cloud Run as a service account, on Google Cloud or elsewhere.
import CalendarAPI
import GoogleCredentials
import HTTPTransport
import HTTPTransportCurl
import OAuthCore

let http = CurlTransport().retrying()  // on Apple platforms, URLSessionTransport()
let google = try await GoogleCredential.applicationDefault(
  scopes: ["https://www.googleapis.com/auth/calendar.readonly"], in: CredentialEnvironment(transport: http))
let calendar = CalendarClient(
  transport: http.authorized(by: google, for: [.googleAPIs]))
for try await event in calendar.events.all(in: "team@group.calendar.google.com") {
  print(event.summary ?? "(no title)")
}

let audience = "https://reports-abc-ew.a.run.app"
let reports = http.authorized(by: try google.idTokens(for: audience), for: [audience])
print(try await reports.call(.get, audience + "/today") as String)
