// SPDX-License-Identifier: Apache-2.0

/// A public key of one key type, with the algorithms that it verifies.
///
/// A new kind of key or signature is a file with a type that conforms, and one with the private half if the package is to
/// sign; ``KeyTypes`` lists them.
protocol PublicKey: Sendable {
  /// The type, `kty`.
  static var keyType: JWK.KeyType { get }
  /// The members that make up a key, besides `kty`, ordered by name ([RFC 7638 § 3.2](https://www.rfc-editor.org/rfc/rfc7638.html#section-3.2)).
  static var members: [String] { get }
  /// Every algorithm of the key type, with its digest.
  static var digests: [JWS.Algorithm: MessageDigest.Algorithm] { get }
  /// Returns the algorithms that fit a key with these members: those of its curve.
  static func algorithms(fitting members: [String: String]) -> Set<JWS.Algorithm>

  /// Creates a key from the members of a JSON Web Key, after checking all of them.
  init(members: [String: String]) throws(JOSEError)
  /// Creates a key from what a `PUBLIC KEY` holds, or returns `nil` if that is a key of another type.
  init?(_ info: SubjectPublicKeyInfo) throws(JOSEError)

  /// The members of a JSON Web Key, besides `kty`.
  var members: [String: String] { get }

  /// Returns whether the signature is one of `message` by this key. `algorithm` fits the key.
  func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: JWS.Algorithm) throws(JOSEError) -> Bool
}

/// A private key of one key type.
protocol PrivateKey: Sendable {
  associatedtype Public: PublicKey

  /// Creates a key pair for the algorithm, or returns `nil` if the algorithm is of another type or needs a size.
  static func generate(for algorithm: JWS.Algorithm) throws(JOSEError) -> Self?

  /// Creates a key from the members of a private JSON Web Key, after checking that both halves fit.
  init?(keyType: JWK.KeyType, members: [String: String]) throws(JOSEError)
  /// Creates a key from what a `PRIVATE KEY` holds, or returns `nil` if that is a key of another type.
  init?(_ info: PrivateKeyInfo) throws(JOSEError)

  var publicKey: Public { get }
  /// The algorithm that is used if none is named.
  var preferredAlgorithm: JWS.Algorithm { get }

  /// Returns the signature in its form in a JWS. `algorithm` fits the key.
  func signature(for message: [UInt8], by algorithm: JWS.Algorithm) throws(JOSEError) -> [UInt8]
  /// Returns what a `PRIVATE KEY` holds. A secret.
  func privateKeyInfo() throws(JOSEError) -> PrivateKeyInfo
}

/// The key types that there are.
enum KeyTypes {
  static let publicKeys: [any PublicKey.Type] = [RSAPublicKey.self, ECPublicKey.self, Ed25519PublicKey.self]
  static let privateKeys: [any PrivateKey.Type] = [RSAPrivateKey.self, ECPrivateKey.self, Ed25519PrivateKey.self]

  static func publicKey(_ keyType: JWK.KeyType) -> (any PublicKey.Type)? {
    publicKeys.first { $0.keyType == keyType }
  }
}
