// SPDX-License-Identifier: Apache-2.0

// Authenticate a client with a private key, without a shared secret.
import HTTPTransport
import HTTPTransportCurl
import OAuthCore
import OAuthJOSE

let key = try SigningKey.generate(.es256)  // once; store key.revealPEM(), and register key.publicJWK with the server
var registration = ClientRegistration(clientID: "reports", authentication: .privateKeyJWT(key))
registration.requestSigning = RequestSigning(key)  // if authorization requests must be signed too

let http = CurlTransport().retrying()
let client = try OAuthClient(
  server: try await ServerMetadata.discover(issuer: "https://login.example.com", transport: http),
  registration: registration, transport: http)
let token = try await ClientCredentials(client: client, scopes: ["reports.read"]).accessToken()
print(token.scopes)
