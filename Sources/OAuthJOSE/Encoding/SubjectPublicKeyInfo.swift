// SPDX-License-Identifier: Apache-2.0

/// A public key with its type, as `PUBLIC KEY` in PEM holds it
/// ([RFC 5280 § 4.1](https://www.rfc-editor.org/rfc/rfc5280.html#section-4.1)).
struct SubjectPublicKeyInfo {
  let identifier: AlgorithmIdentifier
  /// The key in the form of its type: PKCS #1 for RSA, an uncompressed point, 32 bytes for Ed25519.
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
