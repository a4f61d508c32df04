// SPDX-License-Identifier: Apache-2.0

import Almanac
// Bind tokens to a key. Each request proves possession of the key, so the server rejects a copied token.
import HTTPTransport

let http = DefaultTransport().retrying()
var registration = ClientRegistration(clientID: "reports")
registration.dpop = .preferred  // if the server's metadata lists DPoP; .required refuses bearer tokens

let client = try OAuthClient(
  server: try await ServerMetadata.discover(issuer: "https://login.example.com", transport: http),
  registration: registration, transport: http)
let token = try await ClientCredentials(client: client, scopes: ["reports.read"]).accessToken()
print(token.type)  // DPoP
