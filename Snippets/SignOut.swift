// SPDX-License-Identifier: Apache-2.0

// Sign a user out: here, at the server, and where the server says so.
import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthCore
import OpenIDConnect
import TokenStore

// In place of a server of your own; another is found by `ServerMetadata.discover`.
var registered = Sandbox.Client.native
registered.postLogoutRedirectURIs = ["https://app.example/signed-out"]
let sandbox = Sandbox(configuration: .init(clients: [registered]))
let http = sandbox.transport()
let client = try OAuthClient(
  provider: sandbox.provider(), registration: ClientRegistration(clientID: registered.id), transport: http)
let verifier = IDTokenVerifier(client: client, transport: http)

// The user must have authenticated in the last five minutes.
var parameters: AuthorizationParameters = [:]
parameters.authentication = AuthenticationRequirement(maximumAge: .seconds(300))
let account = OAuthAccount(
  client: client, storage: InMemoryTokenStorage(), account: "me", scopes: ["openid", "email"], parameters: parameters,
  userAgent: sandbox.approvingUser, verifier: verifier)
try await account.authorize()
print(try await account.profile().email ?? "no e-mail address")

// Begun by the application: the tokens are gone, and the browser ends the session at the server.
let pending = try await account.beginLogout(redirectURI: URL(string: "https://app.example/signed-out"))
if let callback = try await sandbox.signOut(at: pending.logoutURL) {
  try client.completeLogout(pending, callback: callback)
  print("Signed out.")
}

// Begun by the server: a route of yours, registered as backchannel_logout_uri.
struct LogoutRoute {
  let logout: BackChannelLogout
  let sessions: Sessions

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    await logout.response(to: request) { token in
      await sessions.end(subject: token.subject, sessionID: token.sessionID)
    }
  }
}

/// Yours, in a database.
actor Sessions {
  /// Ends the sessions that have this subject, or this session identifier, or both where both are named.
  func end(subject: String?, sessionID: String?) {}
}

let route = LogoutRoute(logout: BackChannelLogout(verifier: verifier), sessions: Sessions())
