// SPDX-License-Identifier: Apache-2.0

extension TokenExchange {
  /// What kind of token it is ([RFC 8693 § 3](https://www.rfc-editor.org/rfc/rfc8693.html#section-3)).
  public struct TokenType: RawRepresentable, Sendable, Hashable {
    /// The URI as sent.
    public let rawValue: String

    /// Creates a type of the server's own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An access token of the same server.
    public static let accessToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:access_token")
    /// A refresh token of the same server.
    public static let refreshToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:refresh_token")
    /// An ID token.
    public static let idToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:id_token")
    /// A SAML 1.1 assertion, in Base64URL.
    public static let saml1 = TokenType(rawValue: "urn:ietf:params:oauth:token-type:saml1")
    /// A SAML 2.0 assertion, in Base64URL.
    public static let saml2 = TokenType(rawValue: "urn:ietf:params:oauth:token-type:saml2")
    /// A JSON Web Token.
    public static let jwt = TokenType(rawValue: "urn:ietf:params:oauth:token-type:jwt")
  }
}
