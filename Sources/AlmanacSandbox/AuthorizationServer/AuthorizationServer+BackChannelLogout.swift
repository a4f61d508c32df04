// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import PlatformFoundation
import Support
import Synchronization
import Timekeeping

extension AuthorizationServer {
  /// Ends the session of a user, or all sessions, and notifies their clients.
  func endUserSession(of user: String? = nil) async {
    let ended = state.withLock { state in
      let ended = state.sessions.filter { user == nil || $0.key == user }
      for email in ended.keys { state.sessions[email] = nil }
      return ended.values.sorted { $0.user.email < $1.user.email }
    }
    for session in ended {
      record(.userSignedOut)
      await announceEnd(of: session)
    }
  }

  private func announceEnd(of session: UserSession) async {
    guard let transport = configuration.logoutTransport else { return }
    let registered = state.withLock { $0.registered.values.map(\.client) }
    for client in configuration.clients + registered where session.clients.contains(client.id) {
      guard let uri = client.backChannelLogoutURI else { continue }
      do {
        let response = try await transport.send(logoutRequest(to: client, at: uri, ending: session))
        record(.logoutSent, client: client.id, "status \(response.status)")
      } catch {
        record(.logoutSent, client: client.id, "no response")
      }
    }
  }

  /// Returns the request for notifying a client of a session's end.
  private func logoutRequest(to client: Client, at uri: URL, ending session: UserSession) async throws -> HTTPRequest {
    let key = try await signingKey.key()
    let now = clock.now
    let claims: JSONValue = [
      "iss": .string(session.issuer), "aud": .string(client.id), "sub": .string(session.user.subject),
      "sid": .string(session.id), "jti": .string(randomToken()), "iat": .integer(now.secondsSince1970),
      "exp": .integer((now + .seconds(120)).secondsSince1970),
      "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
    ]
    let token = try JWS.sign(claims.json(), with: key, keyID: key.publicJWK.keyID, type: "logout+jwt")
    return HTTPRequest(
      .post, uri, fields: ["Content-Type": "application/x-www-form-urlencoded"],
      body: FormEncoding.form.encodedBytes(["logout_token": token]))
  }
}
