// SPDX-License-Identifier: Apache-2.0

// Call an API as a service, without a user.
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import TokenStore

struct Report: Decodable {
  let title: String
}

let http = CurlTransport().retrying()
let server = try await ServerMetadata.discover(issuer: "https://login.example.com", transport: http)
let client = try OAuthClient(
  server: server, registration: ClientRegistration(clientID: "reports", secret: Secret("…")), transport: http)

let tokens = ClientCredentials(client: client, scopes: ["reports.read"]).cached()
let api = http.authorized(by: tokens, for: ["https://api.example.com"])
let report: Report = try await api.call(.get, "https://api.example.com/reports/today")
print(report.title)
