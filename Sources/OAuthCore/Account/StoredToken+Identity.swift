// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import TokenStore

// Who signed in, by the ID token. It came from the token endpoint over TLS and belongs to the sign-in's nonce
// (OpenID Connect Core § 3.1.3.7); a verifier has checked its signature too.
extension StoredToken {
  /// The user's identifier at the server; `nil` without an ID token.
  var subject: String? { claims?["sub"]?.string }

  /// The user's name at the server's page.
  ///
  /// - Parameter allowsSubject: Whether the server accepts the user's identifier, if there is no e-mail address.
  func loginHint(allowsSubject: Bool) -> String? {
    claims?["email"]?.string ?? (allowsSubject ? subject : nil)
  }

  /// Checks that the tokens are those of the user who has `stored`, if both have an ID token.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/subjectMismatch``.
  func checkSubject(isThatOf stored: StoredToken) throws {
    guard let subject, let expected = stored.subject, subject != expected else { return }
    throw OAuthError(
      .subjectMismatch,
      "Another user signed in than the one whose tokens are stored, which were kept. Sign in as that user, or sign out first."
    )
  }

  private var claims: JSONValue? {
    let parts = idToken?.reveal().split(separator: ".", omittingEmptySubsequences: false) ?? []
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else { return nil }
    return try? JSONValue(json: payload)
  }
}
