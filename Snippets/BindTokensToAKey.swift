// SPDX-License-Identifier: Apache-2.0

import Almanac
// Tokens that are bound to a key: each request proves that the client has the key, so a copied token alone is refused.
import HTTPTransport

let http = DefaultTransport().retrying()
var registration = ClientRegistration(clientID: "reports")
registration.dpop = .preferred  // where the server's metadata name it; .required refuses a bearer token

let client = try OAuthClient(
  server: try await ServerMetadata.discover(issuer: "https://login.example.com", transport: http),
  registration: registration, transport: http)
let token = try await ClientCredentials(client: client, scopes: ["reports.read"]).accessToken()
print(token.type)  // DPoP
