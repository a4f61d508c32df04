// SPDX-License-Identifier: Apache-2.0

/// A public key with its type, as in a `PUBLIC KEY` of PEM
/// ([RFC 5280 § 4.1](https://www.rfc-editor.org/rfc/rfc5280.html#section-4.1)).
struct SubjectPublicKeyInfo {
  let identifier: AlgorithmIdentifier
  /// The key in its algorithm's encoding: PKCS #1 for RSA, an uncompressed point for an elliptic curve, 32 bytes for Ed25519.
  let key: [UInt8]

  init(_ identifier: AlgorithmIdentifier, key: [UInt8]) {
    self.identifier = identifier
    self.key = key
  }

  init?(der: [UInt8]) {
    var reader = DER.Reader(der)
    guard var content = reader.nested(), reader.isAtEnd, let identifier = AlgorithmIdentifier(&content),
      let key = content.bitString(), content.isAtEnd
    else { return nil }
    self.init(identifier, key: Array(key))
  }

  var der: [UInt8] {
    DER.element(DER.Tag.sequence, identifier.der + DER.element(DER.Tag.bitString, [0] + key))
  }
}

/// The type of a key in DER ([RFC 5280 § 4.1.1.2](https://www.rfc-editor.org/rfc/rfc5280.html#section-4.1.1.2)).
struct AlgorithmIdentifier: Sendable, Hashable {
  /// The content of the object identifier.
  let algorithm: [UInt8]
  /// The parameters as a whole element, or empty if there are none.
  let parameters: [UInt8]

  init(_ algorithm: [UInt8], parameters: [UInt8] = []) {
    self.algorithm = algorithm
    self.parameters = parameters
  }

  /// rsaEncryption, with NULL as RFC 3279 § 2.3.1 requires.
  static let rsa = AlgorithmIdentifier(
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01], parameters: DER.element(DER.Tag.null, []))
  /// id-Ed25519 (RFC 8410 § 3).
  static let ed25519 = AlgorithmIdentifier([0x2B, 0x65, 0x70])

  /// id-ecPublicKey with a named curve (RFC 5480 § 2.1.1).
  static func ec(_ curve: EllipticCurve) -> AlgorithmIdentifier {
    AlgorithmIdentifier(
      [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01],
      parameters: DER.element(DER.Tag.objectIdentifier, curve.objectIdentifier))
  }

  /// Parses an identifier.
  ///
  /// The parameters are compared as a whole, and never parsed.
  init?(_ reader: inout DER.Reader) {
    guard let content = reader.read(DER.Tag.sequence) else { return nil }
    var inner = DER.Reader(content)
    guard let algorithm = inner.read(DER.Tag.objectIdentifier) else { return nil }
    self.algorithm = Array(algorithm)
    parameters = Array(content[algorithm.endIndex...])
  }

  var der: [UInt8] {
    DER.element(DER.Tag.sequence, DER.element(DER.Tag.objectIdentifier, algorithm) + parameters)
  }
}
