// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import Foundation
// Discover a provider by its issuer, sign in, and verify the user.
//
// It runs unchanged, with the sandbox on loopback. For a real server, use its issuer, `FileTokenStorage()` and
// `LoopbackUserAgent.systemBrowser`.
import HTTPTransport
import LoopbackHTTP

let sandbox = Sandbox()
let listener = try await sandbox.serve()

let http = DefaultTransport().retrying()
let server = try await ServerMetadata.discover(issuer: listener.url.absoluteString, transport: http)
let client = try OAuthClient(
  server: server, registration: ClientRegistration(clientID: Sandbox.Client.native.id), transport: http)
let account = OAuthAccount(
  client: client, storage: InMemoryTokenStorage(), account: "me", scopes: ["openid", "email", "profile"],
  userAgent: sandbox.approvingUser, verifier: IDTokenVerifier(client: client, transport: http))

try await account.authorize()
let profile = try await account.profile()
print(server.issuer, profile.subject, profile.name ?? "?")
try await account.revoke()
await listener.stop()
