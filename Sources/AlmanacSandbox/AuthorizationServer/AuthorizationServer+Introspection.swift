// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthScope
import Synchronization
import Timekeeping

extension AuthorizationServer {
  /// Handles a request to the introspection endpoint ([RFC 7662 § 2](https://www.rfc-editor.org/rfc/rfc7662.html#section-2)).
  func introspectionResponse(to request: HTTPRequest, at server: ServerProfile) -> HTTPResponse {
    do throws(OAuthFault) {
      let form = try checkedForm(of: request)
      let client = try authenticatedClient(request, form, at: server)
      // § 2.1: authentication prevents token scanning.
      guard client.authentication != .none else { throw .invalidClient("A public client may not introspect tokens.") }
      guard let token = form["token"] else { throw .invalidRequest("token is missing.") }
      let now = clock.now
      guard let found = state.withLock({ $0.issued[server.realm]?.grants.introspect(token, now: now) }) else {
        return .json(["active": false])
      }
      return .json(
        .object(of: [
          "active": true, "client_id": .string(found.grant.clientID),
          "scope": .string(found.grant.scopes.joined()), "iss": .string(server.issuer),
          "sub": .string(configuration.user(of: found.grant).subject),
          "username": .string(configuration.user(of: found.grant).email),
          "token_type": found.isRefreshToken
            ? nil : (found.grant.keyThumbprint == nil ? server.dialect.tokenType : "DPoP").map { .string($0) },
          // RFC 9449 § 6.2.
          "cnf": found.grant.keyThumbprint.map { ["jkt": .string($0)] },
          "exp": found.expires.map { .integer($0.secondsSince1970) },
          "aud": found.grant.resources.isEmpty ? nil : .array(found.grant.resources.map { .string($0) }),
        ]))
    } catch {
      return .oauthError(error)
    }
  }
}
