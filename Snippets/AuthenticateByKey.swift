// SPDX-License-Identifier: Apache-2.0

// A client that authenticates by a private key: no secret is shared with the server.
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import OAuthJOSE

let key = try SigningKey.generate(.es256)  // once; keep key.revealPEM(), and register key.publicJWK at the server
var registration = ClientRegistration(clientID: "reports", authentication: .privateKeyJWT(key))
registration.requestSigning = RequestSigning(key)  // where authorization requests have to be signed too

let http = CurlTransport().retrying()
let client = try OAuthClient(
  server: try await ServerMetadata.discover(issuer: "https://login.example.com", transport: http),
  registration: registration, transport: http)
let token = try await ClientCredentials(client: client, scopes: ["reports.read"]).accessToken()
print(token.scopes)
