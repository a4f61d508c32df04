// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Support
public import TokenStore

/// A one-time secret that ties an authorization code to the client that requested it
/// ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636.html)).
///
/// Only `S256` is supported.
public struct PKCE: Sendable, Hashable {
  /// The code verifier: 43 random characters.
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
