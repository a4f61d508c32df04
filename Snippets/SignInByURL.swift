// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import Foundation
// Sign in to an API from its URL alone, such as a server of the Model Context Protocol. The program discovers the authorization
// server and registers with it. The user signs in when the API requires it.
//
// It runs unchanged, with the sandbox in this process. For a real API, use its URL, `DefaultTransport().retrying()`,
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
let account = try await OAuthAccount(
  discovering: api, as: identity, scopes: ["email"], storage: InMemoryTokenStorage(), account: "me",
  transport: sandbox.transport(), userAgent: sandbox.approvingUser)

// The account signs in. The API then requires the scope "openid" too, and the account signs in again with it.
let http = account.transport(for: api, stepUpLimit: 2)
let response = try await http.send(HTTPRequest(.get, api))
print(account.client.server.issuer, response.status)
try await account.revoke()
