// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import Foundation
// An API of which only the URL is known, such as a server of the Model Context Protocol: its authorization server is found, the
// program registers there, and the user signs in when the API demands it.
//
// It runs as it stands, in one process with the sandbox. For a real API, take its URL, `DefaultTransport().retrying()`,
// `FileTokenStorage()` and `LoopbackUserAgent.systemBrowser`.
import HTTPTransport
import OAuthResources

// The API is the sandbox's userinfo endpoint.
let api = Sandbox.inProcessURL.appending(path: "userinfo")
var configuration = Sandbox.Configuration()
configuration.registrationAccess = .open
let sandbox = Sandbox(configuration: configuration)

let redirects = ["http://127.0.0.1/callback"].compactMap { URL(string: $0) }
let identity = ClientIdentity(
  registering: ClientMetadata(clientName: "Snippet", redirectURIs: redirects, tokenEndpointAuthMethod: "none"))
let account = try await OAuthAccount.discovering(
  resource: api, as: identity, scopes: ["email"], storage: InMemoryTokenStorage(), account: "me",
  transport: sandbox.transport(), userAgent: sandbox.approvingUser)

// It signs in, learns that the scope "openid" is needed too, and signs in for that.
let http = account.transport(for: api, stepUps: 2)
let response = try await http.send(HTTPRequest(.get, api))
print(account.client.server.issuer, response.status)
try await account.revoke()
