// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// What is kept for one account: the access token and all that is needed to replace it.
///
/// A storage keeps it in its documented, versioned ``StoredToken/encode(to:)`` form.
public struct StoredToken: Sendable, Hashable {
  /// The access token.
  public var accessToken: Secret
  /// How the access token is presented ([RFC 6749 § 7.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-7.1)), such as
  /// `Bearer`, in upper or lower case as the server wrote it.
  public var tokenType: String
  /// When the access token expires by the server's clock; `nil` if the server did not say.
  public var expiresAt: Timestamp?
  /// When the access token was issued by the server's clock; `nil` if that is not known.
  public var issuedAt: Timestamp?
  /// How far the server's clock was ahead of this machine's when the token was issued.
  public var serverClockOffset: Duration
  /// The refresh token, or `nil` if the server gave none.
  public var refreshToken: Secret?
  /// The scopes that were granted, which may be fewer than those requested.
  public var scopes: [String]
  /// The scopes that were requested at the sign-in, whether they were granted or not; `nil` if that is not known, as for a
  /// record of an earlier release.
  public var requestedScopes: [String]?
  /// The OpenID Connect ID token as received.
  public var idToken: Secret?
  /// The issuer that gave the tokens; only its token endpoint may see the refresh token.
  ///
  /// A client uses, refreshes and revokes only tokens of its own server, so none with `nil`.
  public var issuer: String?
  /// The identifier of the client that the tokens were given to; `nil` if that is not known.
  ///
  /// A client uses, refreshes and revokes only tokens of its own, so none with `nil`.
  public var clientID: String?
  /// The URIs of the services that the access token is for, which a refresh names again
  /// ([RFC 8707](https://www.rfc-editor.org/rfc/rfc8707.html)); empty if none were requested.
  public var resources: [String] = []
  /// The authorization details that were granted, as JSON text
  /// ([RFC 9396 § 7](https://www.rfc-editor.org/rfc/rfc9396.html#section-7)); `nil` if the server named none.
  public var authorizationDetails: String?
  /// The key that the tokens are bound to ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)); `nil` for bearer tokens.
  public var proofKey: ProofKey?

  /// Creates a record.
  public init(
    accessToken: Secret, tokenType: String = "Bearer", expiresAt: Timestamp? = nil,
    issuedAt: Timestamp? = nil, serverClockOffset: Duration = .zero, refreshToken: Secret? = nil, scopes: [String] = [],
    idToken: Secret? = nil, issuer: String? = nil, clientID: String? = nil
  ) {
    self.accessToken = accessToken
    self.tokenType = tokenType
    self.expiresAt = expiresAt
    self.issuedAt = issuedAt
    self.serverClockOffset = serverClockOffset
    self.refreshToken = refreshToken
    self.scopes = scopes
    self.idToken = idToken
    self.issuer = issuer
    self.clientID = clientID
  }
}
