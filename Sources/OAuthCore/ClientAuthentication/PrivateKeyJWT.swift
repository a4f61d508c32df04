// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE

/// Proves the possession of a private key by an assertion that is signed with it, `private_key_jwt`
/// ([RFC 7523 § 2.2](https://www.rfc-editor.org/rfc/rfc7523.html#section-2.2),
/// [OpenID Connect Core § 9](https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication)).
///
/// The server knows the public key, from the registration or from the client's `jwks_uri`. Each assertion is for one request.
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

  /// Creates the method with a key that is known to the server by the identifier of its public half.
  ///
  /// - Parameters:
  ///   - key: The private key.
  ///   - audience: What the assertion names the server; `nil` for what the provider's ``Provider/Quirks`` say.
  ///   - lifetime: How long an assertion is good. Defaults to one minute.
  public init(_ key: SigningKey, audience: AssertionAudience? = nil, lifetime: Duration = .seconds(60)) {
    self.init(key, keyID: key.publicJWK.keyID, audience: audience, lifetime: lifetime)
  }

  /// Creates the method with a key that may be held elsewhere, such as in a hardware module.
  ///
  /// - Parameters:
  ///   - key: The private key.
  ///   - keyID: The name under which the server finds the public key, `kid`.
  ///   - audience: What the assertion names the server; `nil` for what the provider's ``Provider/Quirks`` say.
  ///   - lifetime: How long an assertion is good. Defaults to one minute.
  public init(
    _ key: some JWSSigningKey, keyID: String?, audience: AssertionAudience? = nil, lifetime: Duration = .seconds(60)
  ) {
    self.key = key
    self.keyID = keyID
    self.audience = audience
    self.lifetime = lifetime
  }

  /// Adds to a request what proves who the client is.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the server does not accept the key's
  ///   algorithm, or the key is a shared secret or cannot sign.
  public func authenticate(_ request: inout TokenRequest) throws {
    guard key.algorithm != .hs256 else {
      throw OAuthError(.invalidConfiguration, "A shared secret is no private key. Use client_secret_jwt.")
    }
    try request.setAssertion(signedBy: key, keyID: keyID, audience: audience, lifetime: lifetime)
  }
}

extension ClientAuthentication where Self == PrivateKeyJWT {
  /// An assertion that is signed with a private key.
  public static func privateKeyJWT(_ key: SigningKey) -> PrivateKeyJWT { PrivateKeyJWT(key) }
}
