// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Support
public import TokenStore

/// A one-time secret that binds an authorization code to the requesting client
/// ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636.html)).
///
/// Only `S256` is supported.
public struct PKCE: Sendable, Hashable {
  /// The code verifier: 43 random characters.
  public let verifier: Secret

  /// Creates a new verifier with the system's random number generator.
  public init() { verifier = Secret(randomToken()) }

  /// Creates a value with an existing verifier.
  public init(verifier: Secret) { self.verifier = verifier }

  /// The code challenge, `BASE64URL(SHA256(verifier))`.
  public var challenge: String {
    Base64URL.encode(MessageDigest.sha256(verifier.reveal()))
  }
}
