// SPDX-License-Identifier: Apache-2.0

extension JWS {
  /// The name of a signature algorithm, `alg` ([RFC 7518 § 3.1](https://www.rfc-editor.org/rfc/rfc7518.html#section-3.1)).
  ///
  /// The set is open, since a header or a key can name any algorithm. A name alone verifies nothing. A
  /// ``VerificationKey`` verifies signatures with the algorithms that match its key, and a ``ClientSecretKey`` with
  /// HS256. No key matches `none`.
  public struct Algorithm: Sendable, Hashable, RawRepresentable, Codable {
    /// The algorithm's name as written.
    public let rawValue: String

    /// Creates an algorithm from its name as written.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension JWS.Algorithm {
  /// Every algorithm whose signatures a ``VerificationKey`` verifies.
  public static let asymmetric: Set<JWS.Algorithm> = Set(digests.keys)

  private static let digests: [JWS.Algorithm: MessageDigest.Algorithm] = KeyTypes.publicKeys.reduce(into: [:]) {
    $0.merge($1.digests) { first, _ in first }
  }

  /// Returns the left half of the digest of `text` in Base64URL, as in `at_hash` and `c_hash`, or `nil` if the algorithm is not
  /// implemented.
  ///
  /// The digest belongs to this signature algorithm
  /// ([OpenID Connect Core § 3.1.3.6](https://openid.net/specs/openid-connect-core-1_0.html#CodeIDToken)).
  package func halfDigest(of text: String) -> String? {
    guard let digest = self == .hs256 ? .sha256 : Self.digests[self] else { return nil }
    let bytes = MessageDigest.digest(Array(text.utf8), digest)
    return Base64URL.encode(Array(bytes.prefix(bytes.count / 2)))
  }
}
