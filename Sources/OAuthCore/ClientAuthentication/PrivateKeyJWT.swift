// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE

/// Client authentication with an assertion signed with a private key, `private_key_jwt`
/// ([RFC 7523 § 2.2](https://www.rfc-editor.org/rfc/rfc7523.html#section-2.2),
/// [OpenID Connect Core § 9](https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication)).
///
/// The server has the public key from the registration or from the client's `jwks_uri`. Each assertion is for one request.
///
/// ```swift
/// let key = try SigningKey(pem: text, keyID: "2026-11")
/// let registration = ClientRegistration(clientID: id, authentication: .privateKeyJWT(key))
/// ```
public struct PrivateKeyJWT: ClientAuthentication {
  private let key: any JWSSigningKey
  private let keyID: String?
  private let audience: AssertionAudience?
  private let lifetime: Duration

  /// Creates the method with a key known to the server by the identifier of its public key.
  ///
  /// - Parameters:
  ///   - key: The private key.
  ///   - audience: The audience of the assertion. Defaults to the audience in the provider's ``Provider/Quirks``.
  ///   - lifetime: The lifetime of an assertion. Defaults to one minute.
  public init(_ key: SigningKey, audience: AssertionAudience? = nil, lifetime: Duration = .seconds(60)) {
    self.init(key, keyID: key.publicJWK.keyID, audience: audience, lifetime: lifetime)
  }

  /// Creates the method with a key, possibly stored externally, such as in a hardware module.
  ///
  /// - Parameters:
  ///   - key: The private key.
  ///   - keyID: The identifier of the public key at the server, `kid`.
  ///   - audience: The audience of the assertion. Defaults to the audience in the provider's ``Provider/Quirks``.
  ///   - lifetime: The lifetime of an assertion. Defaults to one minute.
  public init(
    _ key: some JWSSigningKey, keyID: String?, audience: AssertionAudience? = nil, lifetime: Duration = .seconds(60)
  ) {
    self.key = key
    self.keyID = keyID
    self.audience = audience
    self.lifetime = lifetime
  }

  /// Adds a signed assertion to a request.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the server does not accept the key's
  ///   algorithm, or the key is a shared secret or cannot sign.
  public func authenticate(_ request: inout TokenRequest) throws {
    guard key.algorithm != .hs256 else {
      throw OAuthError(
        .invalidConfiguration,
        "The key for private_key_jwt is a shared secret. Use a private key, or client_secret_jwt.")
    }
    try request.setAssertion(signedBy: key, keyID: keyID, audience: audience, lifetime: lifetime)
  }
}

extension ClientAuthentication where Self == PrivateKeyJWT {
  /// Client authentication with an assertion signed with a private key.
  public static func privateKeyJWT(_ key: SigningKey) -> PrivateKeyJWT { PrivateKeyJWT(key) }
}
