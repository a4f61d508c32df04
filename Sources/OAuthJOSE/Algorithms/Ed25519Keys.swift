// SPDX-License-Identifier: Apache-2.0

/// A public key of Ed25519, for EdDSA ([RFC 8037 § 3.1](https://www.rfc-editor.org/rfc/rfc8037.html#section-3.1)), which
/// [RFC 9864](https://www.rfc-editor.org/rfc/rfc9864.html) registers as Ed25519.
struct Ed25519PublicKey: PublicKey {
  static let keyType = JWK.KeyType.okp
  static let members = ["crv", "x"]
  // RFC 8032 § 5.1: the digest of Ed25519 itself is SHA-512.
  static let digests: [JWS.Algorithm: MessageDigest.Algorithm] = [.edDSA: .sha512, .ed25519: .sha512]
  static let curve = "Ed25519"

  let bytes: [UInt8]
  private let key: SystemEd25519PublicKey

  init(_ bytes: [UInt8]) throws(JOSEError) {
    guard bytes.count == 32, Self.isAcceptable(bytes) else {
      throw JOSEError(.unsuitableKey, "The key is not a valid Ed25519 public key.")
    }
    key = try SystemEd25519PublicKey(bytes)
    self.bytes = bytes
  }

  init(members: [String: String]) throws(JOSEError) {
    guard members["crv"] == Self.curve, let x = members["x"].flatMap({ Base64URL.decode($0) }) else {
      throw JOSEError(.unsuitableKey, "The key is not an Ed25519 key with a member x.")
    }
    try self.init(x)
  }

  init?(_ info: SubjectPublicKeyInfo) throws(JOSEError) {
    guard info.identifier == .ed25519 else { return nil }
    try self.init(info.key)
  }

  static func algorithms(fitting members: [String: String]) -> Set<JWS.Algorithm> {
    members["crv"] == curve ? Set(digests.keys) : []
  }

  var members: [String: String] { ["crv": Self.curve, "x": Base64URL.encode(bytes)] }

  func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: JWS.Algorithm) throws(JOSEError) -> Bool {
    guard signature.count == 64 else { return false }
    return try key.verifies(signature, of: message)
  }

  /// Returns whether the coordinate y is below 2²⁵⁵−19 (RFC 8032 § 5.1.3) and not that of a point of small order.
  ///
  /// Anyone can forge signatures for a point of small order. The system libraries check neither condition before they verify a
  /// signature.
  private static func isAcceptable(_ bytes: [UInt8]) -> Bool {
    var y = bytes
    y[31] &= 0x7F
    let isReduced = y[31] != 0x7F || !y[1..<31].allSatisfy { $0 == 0xFF } || y[0] < 0xED
    return isReduced && !smallOrder.contains(y)
  }

  /// The coordinate y of the eight points whose order divides 8, without the sign of x.
  private static let smallOrder: Set<[UInt8]> = [
    [UInt8](repeating: 0, count: 32),
    [1] + [UInt8](repeating: 0, count: 31),
    [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    [
      0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
      0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
    ],
    [
      0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
      0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
    ],
  ]
}

/// A private key of Ed25519.
struct Ed25519PrivateKey: PrivateKey {
  let publicKey: Ed25519PublicKey
  private let key: SystemEd25519PrivateKey

  private init(_ key: SystemEd25519PrivateKey) throws(JOSEError) {
    self.key = key
    publicKey = try Ed25519PublicKey(key.publicKey())
  }

  static func generate(for algorithm: JWS.Algorithm) throws(JOSEError) -> Ed25519PrivateKey? {
    guard Ed25519PublicKey.digests[algorithm] != nil else { return nil }
    return try Ed25519PrivateKey(SystemEd25519PrivateKey())
  }

  private init(seed: [UInt8], publicKey: [UInt8]?) throws(JOSEError) {
    guard seed.count == 32 else { throw JOSEError(.unsuitableKey, "An Ed25519 private key must have 32 bytes.") }
    try self.init(SystemEd25519PrivateKey(seed: seed))
    guard publicKey == nil || publicKey == self.publicKey.bytes else {
      throw JOSEError(.unsuitableKey, "The public half of the key does not match its private half.")
    }
  }

  init?(keyType: JWK.KeyType, members: [String: String]) throws(JOSEError) {
    guard keyType == .okp else { return nil }
    let publicKey = try Ed25519PublicKey(members: members)
    var seed = members["d"].flatMap { Base64URL.decode($0) } ?? []
    defer { seed.wipe() }
    try self.init(seed: seed, publicKey: publicKey.bytes)
  }

  init?(_ info: PrivateKeyInfo) throws(JOSEError) {
    guard info.identifier == .ed25519 else { return nil }
    // RFC 8410 § 7: an octet string within the octet string.
    var reader = DER.Reader(info.key)
    var seed = reader.read(DER.Tag.octetString).map { Array($0) } ?? []
    defer { seed.wipe() }
    guard reader.isAtEnd else { throw JOSEError(.unsuitableKey, "The Ed25519 private key could not be read.") }
    try self.init(seed: seed, publicKey: info.publicKey)
  }

  var preferredAlgorithm: JWS.Algorithm { .edDSA }

  func signature(for message: [UInt8], by algorithm: JWS.Algorithm) throws(JOSEError) -> [UInt8] {
    try key.signature(for: message)
  }

  func privateKeyInfo() throws(JOSEError) -> PrivateKeyInfo {
    var seed = try key.seed()
    defer { seed.wipe() }
    return PrivateKeyInfo(.ed25519, key: DER.element(DER.Tag.octetString, seed))
  }
}

extension JWS.Algorithm {
  /// EdDSA, always with Ed25519.
  public static let edDSA = JWS.Algorithm(rawValue: "EdDSA")
  /// EdDSA with Ed25519, under its name in RFC 9864.
  public static let ed25519 = JWS.Algorithm(rawValue: "Ed25519")
}
