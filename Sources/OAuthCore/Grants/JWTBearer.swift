// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthJOSE
public import OAuthScope
import Timekeeping
import TokenStore

/// A source of access tokens for a signed assertion about a user or a service
/// ([RFC 7523 § 2.1](https://www.rfc-editor.org/rfc/rfc7523.html#section-2.1)).
///
/// The server must trust the key. Every call signs an assertion and requests a new token.
/// ``TokenSource/cached(clock:leeway:)`` caches it.
///
/// ```swift
/// let tokens = JWTBearer(client: client, issuer: "reports", subject: "ada@example.com", key: key) {
///   $0.claims = ["department": "sales"]
/// }.cached()
/// ```
public struct JWTBearer: TokenSource {
  private let client: OAuthClient
  private let issuer: String
  private let subject: String
  private let key: any JWSSigningKey
  private let keyID: String?
  private let scopes: [Scope]
  /// The audience of an assertion, `aud`, or `nil` for the audience in the provider's ``Provider/Quirks``.
  public var audience: AssertionAudience?
  /// Further claims of an assertion, which cannot replace the standard ones.
  public var claims: [String: String] = [:]
  /// The lifetime of an assertion, five minutes by default.
  public var lifetime = Duration.seconds(300)
  /// Further parameters of the request.
  public var parameters: AuthorizationParameters = [:]

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - client: The client. It needs no credentials, because the assertion authenticates the request
  ///     ([RFC 7521 § 4.1](https://www.rfc-editor.org/rfc/rfc7521.html#section-4.1)).
  ///   - issuer: The issuer of the assertion, `iss`.
  ///   - subject: The user or service the token is for, `sub`, often the issuer itself.
  ///   - key: The issuer's private key.
  ///   - scopes: The scopes to request. If empty, the server decides.
  ///   - change: A closure that sets the audience, the lifetime, and further claims and parameters.
  public init(
    client: OAuthClient, issuer: String, subject: String, key: SigningKey, scopes: [Scope] = [],
    _ change: (inout JWTBearer) -> Void = { _ in }
  ) {
    self.init(
      client: client, issuer: issuer, subject: subject, key: key, keyID: key.publicJWK.keyID, scopes: scopes, change)
  }

  /// Creates a source with a key, possibly stored externally, such as in a hardware module.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - issuer: The issuer of the assertion, `iss`.
  ///   - subject: The user or service the token is for, `sub`.
  ///   - key: The issuer's private key.
  ///   - keyID: The identifier of the public key at the server, `kid`.
  ///   - scopes: The scopes to request. If empty, the server decides.
  ///   - change: A closure that sets the audience, the lifetime, and further claims and parameters.
  public init(
    client: OAuthClient, issuer: String, subject: String, key: some JWSSigningKey, keyID: String?,
    scopes: [Scope] = [], _ change: (inout JWTBearer) -> Void = { _ in }
  ) {
    self.client = client
    self.issuer = issuer
    self.subject = subject
    self.key = key
    self.keyID = keyID
    self.scopes = scopes
    change(&self)
  }

  /// The presentation required by the token's type, with the client's clock.
  public var presentation: any TokenPresentation { AutomaticPresentation(clock: client.clock) }

  /// Signs an assertion and requests an access token with it.
  ///
  /// - Throws: ``OAuthError``, such as with code ``OAuthError/Code/requestRejected`` and the server's `invalid_grant`
  ///   if it rejects the assertion. Also `TransportError` and `CancellationError`.
  @concurrent public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    var assertion = JWTAssertion(
      issuer: issuer, subject: subject,
      audience: (audience ?? client.provider.quirks.assertionAudience).name(of: client.server), at: client.clock.now,
      lifetime: lifetime)
    assertion.claims = claims
    return try await client.accessToken(
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "assertion": try assertion.signed(with: key, keyID: keyID).reveal(),
      ], scopes: scopes, parameters: parameters)
  }
}
