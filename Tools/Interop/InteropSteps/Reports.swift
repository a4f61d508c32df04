// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import OpenIDConnect
import TokenStore

/// The tokens of a grant; the server belongs to the test, so that they may be shown.
struct TokenReport: Encodable {
  var accessToken: String
  var refreshToken: String?
  var scopes: [Scope]
  /// The user's subject, from the verified ID token.
  var subject: String?

  init(_ token: StoredToken, _ claims: IDTokenClaims? = nil) {
    accessToken = token.accessToken.reveal()
    refreshToken = token.refreshToken?.reveal()
    scopes = token.scopes
    subject = claims?.subject
  }

  init(_ token: AccessToken) {
    accessToken = token.value.reveal()
    scopes = token.scopes
  }
}

/// The server's introspection of a token.
struct IntrospectionReport: Encodable {
  var isActive: Bool
  var scopes: [Scope]
  var clientID: String?
  var subject: String?
  var issuer: String?
  var audience: [String]

  init(_ introspection: TokenIntrospection) {
    isActive = introspection.isActive
    scopes = introspection.scopes
    clientID = introspection.clientID
    subject = introspection.subject
    issuer = introspection.issuer
    audience = introspection.audience
  }
}
