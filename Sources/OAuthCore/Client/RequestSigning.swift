// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE

/// The key that a client signs authorization requests with
/// ([RFC 9101](https://www.rfc-editor.org/rfc/rfc9101.html)).
///
/// ```swift
/// var registration = ClientRegistration(clientID: id, authentication: .privateKeyJWT(key))
/// registration.requestSigning = RequestSigning(key)
/// ```
public struct RequestSigning: Sendable {
  let key: any JWSSigningKey
  let keyID: String?
  let lifetime: Duration

  /// Creates it with a key that is known to the server by the identifier of its public half.
  ///
  /// - Parameters:
  ///   - key: The private key.
  ///   - lifetime: How long a signed request is good. Defaults to five minutes.
  public init(_ key: SigningKey, lifetime: Duration = .seconds(300)) {
    self.init(key, keyID: key.publicJWK.keyID, lifetime: lifetime)
  }

  /// Creates it with a key that may be held elsewhere, such as in a hardware module.
  ///
  /// - Parameters:
  ///   - key: The private key.
  ///   - keyID: The name under which the server finds the public key, `kid`.
  ///   - lifetime: How long a signed request is good. Defaults to five minutes.
  public init(_ key: some JWSSigningKey, keyID: String?, lifetime: Duration = .seconds(300)) {
    self.key = key
    self.keyID = keyID
    self.lifetime = lifetime
  }
}
