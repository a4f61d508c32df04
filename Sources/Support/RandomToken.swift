// SPDX-License-Identifier: Apache-2.0

/// Returns an unguessable token: 43 characters of base64url from the system's cryptographic random generator.
///
/// A token contains 258 random bits, and is long enough for a code verifier
/// ([RFC 7636 § 4.1](https://www.rfc-editor.org/rfc/rfc7636.html#section-4.1)).
package func randomToken() -> String {
  var generator = SystemRandomNumberGenerator()
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  let characters = (0..<43).map { _ in alphabet[Int.random(in: 0..<64, using: &generator)] }
  return String(decoding: characters, as: UTF8.self)
}
