// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthJOSE
import Timekeeping
import TokenStore

/// Returns access tokens for an assertion about a user or a service, which a key that the server trusts has signed
/// ([RFC 7523 § 2.1](https://www.rfc-editor.org/rfc/rfc7523.html#section-2.1)).
///
/// It signs an assertion and requests a token each time it is asked; ``TokenSource/cached(clock:leeway:)`` keeps the token.
///
/// ```swift
/// let tokens = JWTBearer(client: client, issuer: "reports", subject: "ada@example.com", key: key).cached()
/// ```
public struct JWTBearer: TokenSource {
  private let client: OAuthClient
  private let issuer: String
  private let subject: String
  private let key: any JWSSigningKey
  private let keyID: String?
  private let audience: AssertionAudience?
  private let claims: [String: String]
  private let lifetime: Duration
  private let scopes: [String]
  private let parameters: AuthorizationParameters

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - client: The client. One without credentials may use the grant, since the assertion authenticates
  ///     ([RFC 7521 § 4.1](https://www.rfc-editor.org/rfc/rfc7521.html#section-4.1)).
  ///   - issuer: Who signs, `iss`.
  ///   - subject: Whom the token is for, `sub`; often the issuer itself.
  ///   - key: The issuer's private key.
  ///   - audience: What names the server, `aud`; `nil` for what the provider's ``Provider/Quirks`` say.
  ///   - claims: Further claims of the assertion. They cannot replace the standard ones.
  ///   - lifetime: How long an assertion is good. Defaults to five minutes.
  ///   - scopes: The scopes to ask for. Empty leaves them to the server.
  ///   - parameters: Further parameters of the request.
  public init(
    client: OAuthClient, issuer: String, subject: String, key: SigningKey, audience: AssertionAudience? = nil,
    claims: [String: String] = [:], lifetime: Duration = .seconds(300), scopes: [String] = [],
    parameters: AuthorizationParameters = [:]
  ) {
    self.init(
      client: client, issuer: issuer, subject: subject, key: key, keyID: key.publicJWK.keyID, audience: audience,
      claims: claims, lifetime: lifetime, scopes: scopes, parameters: parameters)
  }

  /// Creates a source with a key that may be held elsewhere, such as in a hardware module.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - issuer: Who signs, `iss`.
  ///   - subject: Whom the token is for, `sub`.
  ///   - key: The issuer's private key.
  ///   - keyID: The name under which the server finds the public key, `kid`.
  ///   - audience: What names the server, `aud`; `nil` for what the provider's ``Provider/Quirks`` say.
  ///   - claims: Further claims of the assertion. They cannot replace the standard ones.
  ///   - lifetime: How long an assertion is good. Defaults to five minutes.
  ///   - scopes: The scopes to ask for. Empty leaves them to the server.
  ///   - parameters: Further parameters of the request.
  public init(
    client: OAuthClient, issuer: String, subject: String, key: some JWSSigningKey, keyID: String?,
    audience: AssertionAudience? = nil, claims: [String: String] = [:], lifetime: Duration = .seconds(300),
    scopes: [String] = [], parameters: AuthorizationParameters = [:]
  ) {
    self.client = client
    self.issuer = issuer
    self.subject = subject
    self.key = key
    self.keyID = keyID
    self.audience = audience
    self.claims = claims
    self.lifetime = lifetime
    self.scopes = scopes
    self.parameters = parameters
  }

  /// Signs an assertion, and requests an access token with it.
  ///
  /// - Throws: ``OAuthError``, such as with code ``OAuthError/Code/requestRejected`` and the server's `invalid_grant` if it does
  ///   not accept the assertion; `TransportError`; `CancellationError`.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
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
