// SPDX-License-Identifier: Apache-2.0

/// A public key of one key type, with its verification algorithms.
///
/// To add a kind of key or signature, add a file with a conforming type, and another with the private half if the package
/// should sign. ``KeyTypes`` lists the types.
protocol PublicKey: Sendable {
  /// The type, `kty`.
  static var keyType: JWK.KeyType { get }
  /// The identifying members of a key, besides `kty`, ordered by name
  /// ([RFC 7638 § 3.2](https://www.rfc-editor.org/rfc/rfc7638.html#section-3.2)).
  static var members: [String] { get }
  /// Every algorithm of the key type, with its digest.
  static var digests: [JWS.Algorithm: MessageDigest.Algorithm] { get }
  /// Returns the algorithms for a key with these members: those of its curve.
  static func algorithms(fitting members: [String: String]) -> Set<JWS.Algorithm>

  /// Creates a key from the members of a JSON Web Key, after checking all of them.
  init(members: [String: String]) throws(JOSEError)
  /// Creates a key from the content of a `PUBLIC KEY`, or returns `nil` if it is of another type.
  init?(_ info: SubjectPublicKeyInfo) throws(JOSEError)

  /// The members of a JSON Web Key, besides `kty`.
  var members: [String: String] { get }

  /// Returns whether the signature of `message` is valid for this key.
  ///
  /// `algorithm` must match the key.
  func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: JWS.Algorithm) throws(JOSEError) -> Bool
}

/// A private key of one key type.
protocol PrivateKey: Sendable {
  associatedtype Public: PublicKey

  /// Creates a key pair for the algorithm, or returns `nil` if the algorithm is of another type or needs a size.
  static func generate(for algorithm: JWS.Algorithm) throws(JOSEError) -> Self?

  /// Creates a key from the members of a private JSON Web Key, after checking that both halves match.
  init?(keyType: JWK.KeyType, members: [String: String]) throws(JOSEError)
  /// Creates a key from the content of a `PRIVATE KEY`, or returns `nil` if it is of another type.
  init?(_ info: PrivateKeyInfo) throws(JOSEError)

  var publicKey: Public { get }
  /// The default algorithm.
  var preferredAlgorithm: JWS.Algorithm { get }

  /// Returns the signature in the form of a JWS.
  ///
  /// `algorithm` must match the key.
  func signature(for message: [UInt8], by algorithm: JWS.Algorithm) throws(JOSEError) -> [UInt8]
  /// Returns the secret content of a `PRIVATE KEY`.
  func privateKeyInfo() throws(JOSEError) -> PrivateKeyInfo
}

/// The supported key types.
enum KeyTypes {
  static let publicKeys: [any PublicKey.Type] = [RSAPublicKey.self, ECPublicKey.self, Ed25519PublicKey.self]
  static let privateKeys: [any PrivateKey.Type] = [RSAPrivateKey.self, ECPrivateKey.self, Ed25519PrivateKey.self]

  static func publicKey(_ keyType: JWK.KeyType) -> (any PublicKey.Type)? {
    publicKeys.first { $0.keyType == keyType }
  }
}
