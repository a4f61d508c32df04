// SPDX-License-Identifier: Apache-2.0

/// A private key of an elliptic curve as SEC 1 writes it
/// ([RFC 5915 § 3](https://www.rfc-editor.org/rfc/rfc5915.html#section-3)).
///
/// Its bytes are overwritten when it goes.
final class ECPrivateKeyInfo {
  private(set) var scalar: [UInt8]
  /// The curve, if it is named and known.
  let curve: EllipticCurve?
  /// The uncompressed point, if the key holds it.
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

  /// Writes a key; without the curve, which PKCS #8 names outside of it.
  static func der(scalar: [UInt8], publicKey: [UInt8]?) -> [UInt8] {
    var content = DER.element(DER.Tag.integer, [1]) + DER.element(DER.Tag.octetString, scalar)
    defer { content.wipe() }
    if let publicKey {
      content += DER.element(DER.Tag.context(1), DER.element(DER.Tag.bitString, [0] + publicKey))
    }
    return DER.element(DER.Tag.sequence, content)
  }
}
