// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import TokenStore

// The user's identity by the ID token. The client received it from the token endpoint over TLS (OpenID Connect Core § 3.1.3.7). A verifier,
// if there is one, has also checked its signature and its nonce.
extension StoredToken {
  /// The user's identifier at the server, or `nil` without an ID token.
  var subject: String? { claims?["sub"]?.string }

  /// Returns the login hint for the user: the e-mail address, else the identifier if the server accepts it.
  ///
  /// - Parameter allowsSubject: Whether the server accepts the user's identifier as a login hint.
  func loginHint(allowsSubject: Bool) -> String? {
    claims?["email"]?.string ?? (allowsSubject ? subject : nil)
  }

  /// Checks that the tokens belong to the same user as `stored`, if both have an ID token.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/subjectMismatch``.
  func checkSubject(isThatOf stored: StoredToken) throws {
    guard let subject, let expected = stored.subject, subject != expected else { return }
    throw OAuthError(
      .subjectMismatch,
      "A different user signed in. The stored tokens were kept. Sign in as the user they belong to, or sign out first."
    )
  }

  private var claims: JSONValue? {
    let parts = idToken?.reveal().split(ascii: ".", omittingEmptySubsequences: false) ?? []
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else { return nil }
    return try? JSONValue(json: payload)
  }
}
