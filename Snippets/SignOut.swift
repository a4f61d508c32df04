// SPDX-License-Identifier: Apache-2.0

// Sign a user out: locally, at the server, and when the server ends the session.
import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthCore
import OpenIDConnect
import TokenStore

// The sandbox stands in for a server. `ServerMetadata.discover` finds a real one.
var registered = Sandbox.Client.native
registered.postLogoutRedirectURIs = ["https://app.example/signed-out"]
let sandbox = Sandbox { $0.clients = [registered] }
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

// Logout by the application: revokes and removes the tokens, then ends the session at the server in the browser.
let pending = try await account.beginLogout(redirectURI: URL(string: "https://app.example/signed-out"))
if let callback = try await sandbox.signOut(at: pending.logoutURL) {
  try client.completeLogout(pending, callback: callback)
  print("Signed out.")
}

// Logout by the server: your route, registered as backchannel_logout_uri.
struct LogoutRoute {
  let logout: BackChannelLogout
  let sessions: Sessions

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    await logout.response(to: request) { token in
      await sessions.end(subject: token.subject, sessionID: token.sessionID)
    }
  }
}

/// A stand-in for your sessions, for example in a database.
actor Sessions {
  /// Ends the sessions with this subject and session identifier.
  ///
  /// A `nil` value matches every session.
  func end(subject: String?, sessionID: String?) {}
}

let route = LogoutRoute(logout: BackChannelLogout(verifier: verifier), sessions: Sessions())
