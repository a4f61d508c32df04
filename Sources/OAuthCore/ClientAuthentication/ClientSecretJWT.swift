// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
public import TokenStore

/// Client authentication with an assertion signed with the client secret (HS256), `client_secret_jwt`
/// ([OpenID Connect Core § 9](https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication),
/// [RFC 7523 § 2.2](https://www.rfc-editor.org/rfc/rfc7523.html#section-2.2)).
///
/// The secret is not sent. Each assertion is for one request.
public struct ClientSecretJWT: ClientAuthentication {
  private let key: ClientSecretKey
  private let audience: AssertionAudience?
  private let lifetime: Duration

  /// Creates the method.
  ///
  /// - Parameters:
  ///   - secret: The client's secret, of at least 32 bytes.
  ///   - audience: The audience of the assertion. Defaults to the audience in the provider's ``Provider/Quirks``.
  ///   - lifetime: The lifetime of an assertion. Defaults to one minute.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the secret is too short
  ///   ([RFC 7518 § 3.2](https://www.rfc-editor.org/rfc/rfc7518.html#section-3.2)).
  public init(_ secret: Secret, audience: AssertionAudience? = nil, lifetime: Duration = .seconds(60)) throws {
    do {
      key = try ClientSecretKey(secret.reveal())
    } catch {
      throw OAuthError(.invalidConfiguration, error.message)
    }
    self.audience = audience
    self.lifetime = lifetime
  }

  /// Adds a signed assertion to a request.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the server does not accept HS256.
  public func authenticate(_ request: inout TokenRequest) throws {
    try request.setAssertion(signedBy: key, keyID: nil, audience: audience, lifetime: lifetime)
  }
}

extension ClientAuthentication where Self == ClientSecretJWT {
  /// Returns client authentication with an assertion signed with the secret.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the secret is shorter than 32 bytes.
  public static func clientSecretJWT(_ secret: Secret) throws -> ClientSecretJWT { try ClientSecretJWT(secret) }
}
