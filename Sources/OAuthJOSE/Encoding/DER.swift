// SPDX-License-Identifier: Apache-2.0

/// The little of DER that RSA keys need ([X.690](https://www.itu.int/rec/T-REC-X.690)): both system libraries take and
/// give keys in the form of PKCS #1 ([RFC 8017 § A.1](https://www.rfc-editor.org/rfc/rfc8017.html#appendix-A.1)).
enum DER {
  private static let integerTag: UInt8 = 0x02
  private static let octetStringTag: UInt8 = 0x04
  private static let sequenceTag: UInt8 = 0x30
  /// The object identifier 1.2.840.113549.1.1.1, rsaEncryption, with its tag and length.
  private static let rsaEncryption: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01,
  ]

  /// Writes `RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }`.
  static func rsaPublicKey(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
    element(sequenceTag, unsignedInteger(modulus) + unsignedInteger(exponent))
  }

  /// Reads what ``rsaPublicKey(modulus:exponent:)`` writes.
  static func readRSAPublicKey(_ bytes: [UInt8]) -> (modulus: [UInt8], exponent: [UInt8])? {
    var rest = bytes[...]
    guard var key = read(sequenceTag, from: &rest), rest.isEmpty, let modulus = read(integerTag, from: &key),
      let exponent = read(integerTag, from: &key), key.isEmpty
    else { return nil }
    return (Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }))
  }

  /// Returns the `RSAPrivateKey` inside a PKCS #8 `PrivateKeyInfo`
  /// ([RFC 5208 § 5](https://www.rfc-editor.org/rfc/rfc5208.html#section-5)); `nil` for a key of another algorithm.
  static func readPKCS8(_ bytes: [UInt8]) -> [UInt8]? {
    var rest = bytes[...]
    guard var info = read(sequenceTag, from: &rest), rest.isEmpty, read(integerTag, from: &info) != nil,
      let algorithm = read(sequenceTag, from: &info), algorithm.starts(with: rsaEncryption),
      let key = read(octetStringTag, from: &info)
    else { return nil }
    return Array(key)
  }

  private static func unsignedInteger(_ magnitude: [UInt8]) -> [UInt8] {
    let digits = magnitude.drop { $0 == 0 }
    let needsZero = digits.first.map { $0 >= 0x80 } ?? true
    return element(integerTag, (needsZero ? [0] : []) + digits)
  }

  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    if content.count < 0x80 {
      length = [UInt8(content.count)]
    } else {
      var count = content.count
      while count > 0 {
        length.insert(UInt8(truncatingIfNeeded: count), at: 0)
        count >>= 8
      }
      length.insert(0x80 | UInt8(length.count), at: 0)
    }
    return [tag] + length + content
  }

  private static func read(_ tag: UInt8, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      guard (1...3).contains(first & 0x7F) else { return nil }
      length = 0
      for _ in 0..<(first & 0x7F) {
        guard let byte = bytes.popFirst() else { return nil }
        length = length << 8 | Int(byte)
      }
    }
    guard length <= bytes.count else { return nil }
    defer { bytes = bytes.dropFirst(length) }
    return bytes.prefix(length)
  }
}
