// SPDX-License-Identifier: Apache-2.0

/// A public key of an elliptic curve, for ECDSA
/// ([RFC 7518 § 3.4](https://www.rfc-editor.org/rfc/rfc7518.html#section-3.4)).
struct ECPublicKey: PublicKey {
  static let keyType = JWK.KeyType.ec
  static let members = ["crv", "x", "y"]
  static let digests: [JWS.Algorithm: MessageDigest.Algorithm] = EllipticCurve.allCases.reduce(into: [:]) {
    $0[$1.algorithm] = $1.digest
  }

  let curve: EllipticCurve
  /// The uncompressed point: 4, x, y.
  let point: [UInt8]
  private let key: SystemECPublicKey

  /// Checks that the point is on the curve.
  init(point: [UInt8], curve: EllipticCurve) throws(JOSEError) {
    guard point.count == 1 + 2 * curve.size, point.first == 4 else {
      throw JOSEError(.unsuitableKey, "The key's point is compressed, or its length does not match the curve.")
    }
    key = try SystemECPublicKey(point: point, curve: curve)
    self.point = point
    self.curve = curve
  }

  init(members: [String: String]) throws(JOSEError) {
    // RFC 7518 § 6.2.1.2: the coordinates have their full length, so a key has only one encoding. The check of the point includes its
    // length, and thereby the length of y.
    guard let curve = members["crv"].flatMap(EllipticCurve.init),
      let x = members["x"].flatMap({ Base64URL.decode($0) }), x.count == curve.size,
      let y = members["y"].flatMap({ Base64URL.decode($0) })
    else { throw JOSEError(.unsuitableKey, "The key has no known curve with coordinates of its length.") }
    try self.init(point: [4] + x + y, curve: curve)
  }

  init?(_ info: SubjectPublicKeyInfo) throws(JOSEError) {
    guard let curve = EllipticCurve.allCases.first(where: { info.identifier == .ec($0) }) else { return nil }
    try self.init(point: info.key, curve: curve)
  }

  static func algorithms(fitting members: [String: String]) -> Set<JWS.Algorithm> {
    members["crv"].flatMap(EllipticCurve.init).map { [$0.algorithm] } ?? []
  }

  var members: [String: String] {
    [
      "crv": curve.rawValue, "x": Base64URL.encode(Array(point[1...curve.size])),
      "y": Base64URL.encode(Array(point[(1 + curve.size)...])),
    ]
  }

  func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: JWS.Algorithm) throws(JOSEError) -> Bool {
    // RFC 7518 § 3.4: r and s, each with its full length.
    guard signature.count == 2 * curve.size else { return false }
    return try key.verifies(signature, of: message)
  }
}

/// A private key of an elliptic curve.
struct ECPrivateKey: PrivateKey {
  let publicKey: ECPublicKey
  private let key: SystemECPrivateKey

  private init(_ key: SystemECPrivateKey, curve: EllipticCurve) throws(JOSEError) {
    self.key = key
    publicKey = try ECPublicKey(point: key.publicPoint(), curve: curve)
  }

  static func generate(for algorithm: JWS.Algorithm) throws(JOSEError) -> ECPrivateKey? {
    guard let curve = EllipticCurve.allCases.first(where: { $0.algorithm == algorithm }) else { return nil }
    return try ECPrivateKey(SystemECPrivateKey(generating: curve), curve: curve)
  }

  private init(scalar: [UInt8], curve: EllipticCurve, publicPoints: [[UInt8]]) throws(JOSEError) {
    // RFC 5915 § 3, RFC 7518 § 6.2.2.1: the full length.
    guard scalar.count == curve.size else {
      throw JOSEError(.unsuitableKey, "The private key's length does not match the curve.")
    }
    try self.init(SystemECPrivateKey(scalar: scalar, curve: curve), curve: curve)
    guard publicPoints.allSatisfy({ $0 == publicKey.point }) else {
      throw JOSEError(.unsuitableKey, "The public half of the key does not match its private half.")
    }
  }

  init?(keyType: JWK.KeyType, members: [String: String]) throws(JOSEError) {
    guard keyType == .ec else { return nil }
    let publicKey = try ECPublicKey(members: members)
    var scalar = members["d"].flatMap { Base64URL.decode($0) } ?? []
    defer { scalar.wipe() }
    try self.init(scalar: scalar, curve: publicKey.curve, publicPoints: [publicKey.point])
  }

  init?(_ info: PrivateKeyInfo) throws(JOSEError) {
    guard let curve = EllipticCurve.allCases.first(where: { info.identifier == .ec($0) }) else { return nil }
    guard let inner = ECPrivateKeyInfo(der: info.key), inner.curve == nil || inner.curve == curve else {
      throw JOSEError(.unsuitableKey, "The elliptic-curve private key could not be read.")
    }
    try self.init(
      scalar: inner.scalar, curve: curve, publicPoints: [inner.publicKey, info.publicKey].compactMap(\.self))
  }

  var preferredAlgorithm: JWS.Algorithm { publicKey.curve.algorithm }

  func signature(for message: [UInt8], by algorithm: JWS.Algorithm) throws(JOSEError) -> [UInt8] {
    try key.signature(for: message)
  }

  func privateKeyInfo() throws(JOSEError) -> PrivateKeyInfo {
    var scalar = try key.scalar()
    defer { scalar.wipe() }
    return PrivateKeyInfo(
      .ec(publicKey.curve), key: ECPrivateKeyInfo.der(scalar: scalar, publicKey: publicKey.point))
  }
}
