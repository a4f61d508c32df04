// SPDX-License-Identifier: Apache-2.0

/// The curves of ECDSA ([RFC 7518 § 6.2.1.1](https://www.rfc-editor.org/rfc/rfc7518.html#section-6.2.1.1)), each with one
/// algorithm and one digest.
enum EllipticCurve: String, Sendable, CaseIterable {
  case p256 = "P-256"
  case p384 = "P-384"
  case p521 = "P-521"

  /// The length of a coordinate, of a private key, and of each half of a signature, in bytes.
  var size: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }

  var algorithm: JWS.Algorithm {
    switch self {
    case .p256: .es256
    case .p384: .es384
    case .p521: .es512
    }
  }

  var digest: MessageDigest.Algorithm {
    switch self {
    case .p256: .sha256
    case .p384: .sha384
    case .p521: .sha512
    }
  }

  /// The content of the curve's object identifier (RFC 5480 § 2.1.1.1).
  var objectIdentifier: [UInt8] {
    switch self {
    case .p256: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    case .p384: [0x2B, 0x81, 0x04, 0x00, 0x22]
    case .p521: [0x2B, 0x81, 0x04, 0x00, 0x23]
    }
  }

  init?(objectIdentifier: [UInt8]) {
    guard let curve = Self.allCases.first(where: { $0.objectIdentifier == objectIdentifier }) else { return nil }
    self = curve
  }
}

extension JWS.Algorithm {
  /// ECDSA with P-256 and SHA-256.
  public static let es256 = JWS.Algorithm(rawValue: "ES256")
  /// ECDSA with P-384 and SHA-384.
  public static let es384 = JWS.Algorithm(rawValue: "ES384")
  /// ECDSA with P-521 and SHA-512.
  public static let es512 = JWS.Algorithm(rawValue: "ES512")
}
