// SPDX-License-Identifier: Apache-2.0

// Tokens that are of no use to whoever copies them: they are bound to a key, and each request proves that the client has it.
import Almanac

let http = DefaultTransport().retrying()
var registration = ClientRegistration(clientID: "reports")
registration.dpop = .preferred  // where the server's metadata name it; .required refuses a bearer token

let client = try OAuthClient(
  server: try await ServerMetadata.discover(issuer: "https://login.example.com", transport: http),
  registration: registration, transport: http)
let token = try await ClientCredentials(client: client, scopes: ["reports.read"]).accessToken()
print(token.type)  // DPoP
