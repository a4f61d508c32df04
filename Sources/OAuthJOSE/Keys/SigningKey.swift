// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A private key that signs with one algorithm, stored in the system's cryptography library.
///
/// ```swift
/// let key = try SigningKey.generate(.es256)
/// let proof = try JWS.sign(claims, with: key, type: "dpop+jwt", publicKey: key.publicJWK)
/// ```
///
/// Any number of tasks may sign with one key at the same time. No description shows the key. Only ``revealPEM()`` does.
public struct SigningKey: JWSSigningKey {
  /// The algorithm, which matches the key.
  public let algorithm: JWS.Algorithm
  /// The public half, ready to be published in a ``JWKSet``, with `use`, `alg` and `kid`.
  ///
  /// `kid` is the RFC 7638 thumbprint, unless the key came with another identifier.
  public let publicJWK: JWK

  private let key: any PrivateKey

  /// Creates a key pair for ECDSA or EdDSA.
  ///
  /// - Parameter algorithm: ES256, ES384, ES512, EdDSA or Ed25519.
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/unsupportedAlgorithm`` for another algorithm. RSA keys have a size and
  ///   take longer: see ``generate(_:bits:)``.
  public static func generate(_ algorithm: JWS.Algorithm) throws(JOSEError) -> SigningKey {
    for type in KeyTypes.privateKeys {
      if let key = try type.generate(for: algorithm) { return try SigningKey(key, algorithm: algorithm) }
    }
    guard RSAPublicKey.digests[algorithm] == nil else {
      throw JOSEError(
        .unsupportedAlgorithm,
        "A key for \(algorithm.rawValue) needs a size. Call generate(.\(algorithm.rawValue.lowercased()), bits: 2048) with await."
      )
    }
    throw JOSEError(
      .unsupportedAlgorithm, "Keys can be generated for ES256, ES384, ES512, EdDSA, Ed25519, and with a size for RSA.")
  }

  /// Creates a key pair for RSA on a separate thread, without blocking the caller's.
  ///
  /// - Parameters:
  ///   - algorithm: One of the RS and PS algorithms.
  ///   - bits: The size of the modulus: 2048 to 8192. A key of 2048 bits takes some 50 to 500 ms of CPU time.
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/unsuitableKey`` for another size, or
  ///   ``JOSEError/Code/unsupportedAlgorithm``. Also `CancellationError` if the task was cancelled, at the latest when
  ///   the key is ready.
  public static func generate(_ algorithm: JWS.Algorithm, bits: Int) async throws -> SigningKey {
    try Task.checkCancellation()
    guard RSAPublicKey.digests[algorithm] != nil else {
      throw JOSEError(.unsupportedAlgorithm, "Only RSA keys have a number of bits.")
    }
    let key = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try SigningKey(RSAPrivateKey.generate(bits: bits), algorithm: algorithm) })
      }
    }
    try Task.checkCancellation()
    return key
  }

  /// Parses a key from unencrypted PEM text ([RFC 7468](https://www.rfc-editor.org/rfc/rfc7468.html)).
  ///
  /// The block is `PRIVATE KEY` (PKCS #8), `RSA PRIVATE KEY` (PKCS #1) or `EC PRIVATE KEY` (SEC 1).
  ///
  /// - Parameters:
  ///   - pem: The text, up to 64 KiB. Text before and after the block is ignored. The decoded bytes are overwritten
  ///     after use, but the text itself is not.
  ///   - algorithm: The algorithm to sign with. Defaults to RS256 for RSA, and to the curve's algorithm for others.
  ///   - keyID: The identifier by which the verifier knows the key. Defaults to the thumbprint.
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/malformed``, or ``JOSEError/Code/unsuitableKey`` if the key is too
  ///   small, damaged, not for the algorithm or its halves do not match.
  public init(pem: String, algorithm: JWS.Algorithm? = nil, keyID: String? = nil) throws(JOSEError) {
    var block = try PEM.decode(
      pem, labels: ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"])
    defer { block.content.wipe() }
    let info: PrivateKeyInfo? =
      switch block.label {
      case "PRIVATE KEY": PrivateKeyInfo(der: block.content)
      case "RSA PRIVATE KEY": PrivateKeyInfo(.rsa, key: block.content)
      case "EC PRIVATE KEY": PrivateKeyInfo(sec1: block.content)
      default: throw JOSEError(.unsuitableKey, "The PEM block is encrypted. Decrypt the key first.")
      }
    guard let info else { throw JOSEError(.unsuitableKey, "The PEM block does not contain a private key.") }
    for type in KeyTypes.privateKeys {
      if let key = try type.init(info) {
        try self.init(imported: key, algorithm: algorithm, keyID: keyID)
        return
      }
    }
    throw JOSEError(.unsuitableKey, "The private key is of a type or curve that no supported algorithm uses.")
  }

  /// Parses a private JSON Web Key ([RFC 7517](https://www.rfc-editor.org/rfc/rfc7517.html)), including its `alg` and `kid`.
  ///
  /// - Parameters:
  ///   - privateJWK: The key as JSON text, up to 64 KiB.
  ///   - algorithm: The algorithm to sign with. Defaults to the key's `alg`, or without it as in
  ///     ``init(pem:algorithm:keyID:)``.
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/malformed`` or ``JOSEError/Code/unsuitableKey``.
  public init(privateJWK: String, algorithm: JWS.Algorithm? = nil) throws(JOSEError) {
    let (jwk, members) = try JWK.decodePrivate(privateJWK)
    guard jwk.use == nil || jwk.use == "sig", jwk.operations?.contains("sign") != false,
      algorithm == nil || jwk.algorithm == nil || algorithm == jwk.algorithm
    else { throw JOSEError(.unsuitableKey, "The key is for another use or algorithm.") }
    for type in KeyTypes.privateKeys {
      if let key = try type.init(keyType: jwk.keyType, members: members) {
        try self.init(imported: key, algorithm: algorithm ?? jwk.algorithm, keyID: jwk.keyID)
        return
      }
    }
    throw JOSEError(.unsuitableKey, "The private key is of a type or curve that no supported algorithm uses.")
  }

  private init(imported key: some PrivateKey, algorithm: JWS.Algorithm?, keyID: String?) throws(JOSEError) {
    try self.init(key, algorithm: algorithm ?? key.preferredAlgorithm, keyID: keyID)
    // A damaged key may make signatures that reveal the key.
    let probe: [UInt8] = [0]
    let signature = try? key.signature(for: probe, by: self.algorithm)
    guard let signature, (try? key.publicKey.verifies(signature, of: probe, by: self.algorithm)) == true else {
      throw JOSEError(.unsuitableKey, "The private key is damaged: its signatures do not match its public half.")
    }
  }

  private init<Key: PrivateKey>(_ key: Key, algorithm: JWS.Algorithm, keyID: String? = nil) throws(JOSEError) {
    let members = key.publicKey.members
    guard Key.Public.algorithms(fitting: members).contains(algorithm) else {
      throw JOSEError(.unsuitableKey, "The key's type or curve does not match the algorithm.")
    }
    var jwk = JWK(keyType: Key.Public.keyType, parameters: members)
    jwk.keyID = keyID ?? jwk.thumbprint
    jwk.use = "sig"
    jwk.algorithm = algorithm
    self.key = key
    self.algorithm = algorithm
    publicJWK = jwk
  }

  /// Returns the signature of `message` in the form of a JWS.
  ///
  /// This takes from some 20 µs (EdDSA, ES256) to a millisecond (RSA) and more.
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/cryptographyFailed``.
  public func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
    try key.signature(for: message, by: algorithm)
  }

  /// Returns the private key as PEM text (PKCS #8).
  ///
  /// Store the text where only its owner can read it.
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/cryptographyFailed``.
  public func revealPEM() throws(JOSEError) -> String {
    var der = try key.privateKeyInfo().der
    defer { der.wipe() }
    return PEM.encode(der, label: "PRIVATE KEY")
  }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The algorithm, without the key itself.
  public var description: String { "private key for \(algorithm.rawValue)" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror of the public half only.
  public var customMirror: Mirror { Mirror(self, children: ["publicJWK": publicJWK]) }
}

/// A key that can sign a JWS with ``JWS/sign(_:with:keyID:type:publicKey:)``.
///
/// ``SigningKey`` and ``ClientSecretKey`` conform to it. A key in a hardware module or a key service needs two members.
public protocol JWSSigningKey: Sendable {
  /// The algorithm, which is written to the header.
  var algorithm: JWS.Algorithm { get }

  /// Returns the signature of `message`, in the algorithm's form for a JWS
  /// ([RFC 7518 § 3](https://www.rfc-editor.org/rfc/rfc7518.html#section-3)).
  func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8]
}
