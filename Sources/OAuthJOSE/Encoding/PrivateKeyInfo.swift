// SPDX-License-Identifier: Apache-2.0

/// A private key with its type, as in a `PRIVATE KEY` of PEM: PKCS #8
/// ([RFC 5958 § 2](https://www.rfc-editor.org/rfc/rfc5958.html#section-2)).
///
/// Its bytes are overwritten on deinitialization.
final class PrivateKeyInfo {
  let identifier: AlgorithmIdentifier
  /// The key in its algorithm's encoding: PKCS #1 for RSA, SEC 1 for an elliptic curve, an octet string for Ed25519.
  private(set) var key: [UInt8]
  /// The public key encoded with it.
  let publicKey: [UInt8]?

  init(_ identifier: AlgorithmIdentifier, key: [UInt8], publicKey: [UInt8]? = nil) {
    self.identifier = identifier
    self.key = key
    self.publicKey = publicKey
  }

  deinit { key.wipe() }

  convenience init?(der: [UInt8]) {
    var reader = DER.Reader(der)
    guard var content = reader.nested(), reader.isAtEnd, let version = content.unsignedInteger(), version.count <= 1,
      version.allSatisfy({ $0 == 1 }), let identifier = AlgorithmIdentifier(&content),
      let key = content.read(DER.Tag.octetString)
    else { return nil }
    // Attributes do not affect the key itself.
    _ = content.read(DER.Tag.context(0))
    let publicKey = content.bitString(DER.Tag.implicit(1))
    guard content.isAtEnd, publicKey == nil || !version.isEmpty else { return nil }
    self.init(identifier, key: Array(key), publicKey: publicKey.map { Array($0) })
  }

  /// Parses the older form of an elliptic curve key, which names its curve itself
  /// ([RFC 5915 § 3](https://www.rfc-editor.org/rfc/rfc5915.html#section-3)).
  convenience init?(sec1: [UInt8]) {
    guard let curve = ECPrivateKeyInfo(der: sec1)?.curve else { return nil }
    self.init(.ec(curve), key: sec1)
  }

  var der: [UInt8] {
    var octets = DER.element(DER.Tag.octetString, key)
    var content = DER.element(DER.Tag.integer, [0]) + identifier.der + octets
    defer {
      octets.wipe()
      content.wipe()
    }
    return DER.element(DER.Tag.sequence, content)
  }
}

/// A private key of an elliptic curve in the form of SEC 1
/// ([RFC 5915 § 3](https://www.rfc-editor.org/rfc/rfc5915.html#section-3)).
///
/// Its bytes are overwritten on deinitialization.
final class ECPrivateKeyInfo {
  private(set) var scalar: [UInt8]
  /// The curve, if the key names it.
  ///
  /// A key of an unknown curve is rejected.
  let curve: EllipticCurve?
  /// The uncompressed point, if the key contains it.
  let publicKey: [UInt8]?

  init?(der: [UInt8]) {
    var reader = DER.Reader(der)
    guard var content = reader.nested(), reader.isAtEnd, content.unsignedInteger()?.elementsEqual([1]) == true,
      let scalar = content.read(DER.Tag.octetString)
    else { return nil }
    var curve: EllipticCurve?
    if var parameters = content.nested(DER.Tag.context(0)) {
      guard let name = parameters.read(DER.Tag.objectIdentifier), parameters.isAtEnd,
        let named = EllipticCurve(objectIdentifier: Array(name))
      else { return nil }
      curve = named
    }
    var publicKey: [UInt8]?
    if var point = content.nested(DER.Tag.context(1)) {
      guard let bits = point.bitString(), point.isAtEnd else { return nil }
      publicKey = Array(bits)
    }
    guard content.isAtEnd else { return nil }
    self.scalar = Array(scalar)
    self.curve = curve
    self.publicKey = publicKey
  }

  deinit { scalar.wipe() }

  /// Encodes a key without its curve, which PKCS #8 names outside of it.
  static func der(scalar: [UInt8], publicKey: [UInt8]?) -> [UInt8] {
    var content = DER.element(DER.Tag.integer, [1]) + DER.element(DER.Tag.octetString, scalar)
    defer { content.wipe() }
    if let publicKey {
      content += DER.element(DER.Tag.context(1), DER.element(DER.Tag.bitString, [0] + publicKey))
    }
    return DER.element(DER.Tag.sequence, content)
  }
}
