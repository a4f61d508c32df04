// SPDX-License-Identifier: Apache-2.0

/// Returns an unguessable token: 43 characters of base64url from the system's cryptographic random generator.
///
/// A token contains 258 random bits, and is long enough for a code verifier
/// ([RFC 7636 § 4.1](https://www.rfc-editor.org/rfc/rfc7636.html#section-4.1)).
package func randomToken() -> String {
  var generator = SystemRandomNumberGenerator()
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  // The generator calls the system for each number, which has the bits of ten characters.
  var (bits, left) = (0 as UInt64, 0)
  let characters = (0..<43).map { _ in
    if left == 0 { (bits, left) = (generator.next(), 10) }
    defer { (bits, left) = (bits >> 6, left - 1) }
    return alphabet[Int(bits & 63)]
  }
  return String(decoding: characters, as: UTF8.self)
}
