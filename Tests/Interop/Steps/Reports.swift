// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import OpenIDConnect
import TokenStore

/// What a grant has brought; the server is one of the test's own, so that the tokens may be shown.
struct TokenReport: Encodable {
  var accessToken: String
  var refreshToken: String?
  var scopes: [String]
  /// Who signed in, by the verified ID token.
  var subject: String?
  var issuedType: String?

  init(_ token: StoredToken, _ claims: IDTokenClaims? = nil) {
    accessToken = token.accessToken.reveal()
    refreshToken = token.refreshToken?.reveal()
    scopes = token.scopes
    subject = claims?.subject
  }

  init(_ token: AccessToken, type: TokenExchange.TokenType? = nil) {
    accessToken = token.value.reveal()
    scopes = token.scopes
    issuedType = type?.rawValue
  }
}

/// What the server says of a token.
struct IntrospectionReport: Encodable {
  var isActive: Bool
  var scopes: [String]
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
