import OAuthJOSE
public import TokenStore

/// A one-time secret that ties an authorization code to the client that asked for it
/// ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636.html)). Only `S256` is spoken.
public struct PKCE: Sendable, Hashable {
  /// The code verifier: 43 characters, 256 random bits.
  public let verifier: Secret

  /// Makes a new verifier from the system's random generator.
  public init() { verifier = Secret(randomToken()) }

  /// Takes a verifier that was made before.
  public init(verifier: Secret) { self.verifier = verifier }

  /// The code challenge, `BASE64URL(SHA256(verifier))`.
  public var challenge: String {
    Base64URL.encode(MessageDigest.sha256(verifier.reveal()))
  }
}

/// Returns 256 bits of the system's cryptographic random generator as 43 base64url characters.
package func randomToken() -> String {
  var generator = SystemRandomNumberGenerator()
  return Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
}
