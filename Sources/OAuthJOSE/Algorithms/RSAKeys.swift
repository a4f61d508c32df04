// SPDX-License-Identifier: Apache-2.0

/// An RSA public key, for RSASSA-PKCS1-v1_5 and RSASSA-PSS
/// ([RFC 7518 § 3.3 and § 3.5](https://www.rfc-editor.org/rfc/rfc7518.html#section-3.3)).
struct RSAPublicKey: PublicKey {
  static let keyType = JWK.KeyType.rsa
  static let members = ["e", "n"]
  static let digests: [JWS.Algorithm: MessageDigest.Algorithm] = [
    .rs256: .sha256, .rs384: .sha384, .rs512: .sha512, .ps256: .sha256, .ps384: .sha384, .ps512: .sha512,
  ]
  private static let pssAlgorithms: Set<JWS.Algorithm> = [.ps256, .ps384, .ps512]
  /// RFC 7518 § 3.3: 2048 bits or more.
  ///
  /// The upper bound keeps each check of a hostile key set from taking seconds.
  private static let sizes = 2048...8192

  private let modulus: [UInt8]
  private let exponent: [UInt8]
  private let key: SystemRSAPublicKey

  private init(modulus: some Collection<UInt8>, exponent: some Collection<UInt8>) throws(JOSEError) {
    self.modulus = Array(modulus.drop { $0 == 0 })
    self.exponent = Array(exponent.drop { $0 == 0 })
    try Self.requireSize(self.modulus.count * 8 - (self.modulus.first?.leadingZeroBitCount ?? 0))
    guard let last = self.exponent.last, last & 1 == 1, self.exponent != [1], self.exponent.count <= 4 else {
      throw JOSEError(.unsuitableKey, "The RSA key's public exponent is not an odd number of 3 to 2³²−1.")
    }
    key = try SystemRSAPublicKey(
      pkcs1: DER.element(DER.Tag.sequence, DER.unsignedInteger(modulus) + DER.unsignedInteger(exponent)))
  }

  init(members: [String: String]) throws(JOSEError) {
    guard let modulus = members["n"].flatMap({ Base64URL.decode($0) }),
      let exponent = members["e"].flatMap({ Base64URL.decode($0) })
    else { throw JOSEError(.unsuitableKey, "The key is not an RSA key with members n and e.") }
    try self.init(modulus: modulus, exponent: exponent)
  }

  init?(_ info: SubjectPublicKeyInfo) throws(JOSEError) {
    guard info.identifier == .rsa else { return nil }
    try self.init(pkcs1: info.key)
  }

  /// Parses `RSAPublicKey` ([RFC 8017 § A.1.1](https://www.rfc-editor.org/rfc/rfc8017.html#appendix-A.1.1)).
  init(pkcs1: [UInt8]) throws(JOSEError) {
    var reader = DER.Reader(pkcs1)
    guard var content = reader.nested(), reader.isAtEnd, let modulus = content.unsignedInteger(),
      let exponent = content.unsignedInteger(), content.isAtEnd
    else { throw JOSEError(.unsuitableKey, "The RSA public key could not be read.") }
    try self.init(modulus: modulus, exponent: exponent)
  }

  static func requireSize(_ bits: Int) throws(JOSEError) {
    guard sizes.contains(bits) else { throw JOSEError(.unsuitableKey, "An RSA key must have 2048 to 8192 bits.") }
  }

  /// Returns the padding of an RSA algorithm.
  static func padding(of algorithm: JWS.Algorithm) throws(JOSEError) -> RSAPadding {
    guard let digest = digests[algorithm] else {
      throw JOSEError(.unsuitableKey, "An RSA key does not match the algorithm.")
    }
    return pssAlgorithms.contains(algorithm) ? .pss(digest) : .pkcs1(digest)
  }

  private static let allAlgorithms = Set(digests.keys)

  static func algorithms(fitting members: [String: String]) -> Set<JWS.Algorithm> { allAlgorithms }

  var members: [String: String] { ["n": Base64URL.encode(modulus), "e": Base64URL.encode(exponent)] }

  func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: JWS.Algorithm) throws(JOSEError) -> Bool {
    // RFC 8017 § 8.1.2 and § 8.2.2: a signature is as long as the modulus.
    guard signature.count == modulus.count else { return false }
    return try key.verifies(signature, of: message, padding: Self.padding(of: algorithm))
  }
}

/// The padding of a digest to the length of the modulus, PSS with a salt as long as the digest (RFC 7518 § 3.5).
enum RSAPadding {
  case pkcs1(MessageDigest.Algorithm)
  case pss(MessageDigest.Algorithm)

  var digest: MessageDigest.Algorithm {
    switch self {
    case .pkcs1(let digest), .pss(let digest): digest
    }
  }
}

/// An RSA private key.
struct RSAPrivateKey: PrivateKey {
  let publicKey: RSAPublicKey
  private let key: SystemRSAPrivateKey

  private init(_ key: SystemRSAPrivateKey) throws(JOSEError) {
    self.key = key
    publicKey = try RSAPublicKey(pkcs1: key.publicPKCS1())
  }

  static func generate(for algorithm: JWS.Algorithm) -> RSAPrivateKey? { nil }

  static func generate(bits: Int) throws(JOSEError) -> RSAPrivateKey {
    try RSAPublicKey.requireSize(bits)
    return try RSAPrivateKey(SystemRSAPrivateKey(generating: bits))
  }

  init?(keyType: JWK.KeyType, members: [String: String]) throws(JOSEError) {
    guard keyType == .rsa else { return nil }
    var content = DER.element(DER.Tag.integer, [0])
    defer { content.wipe() }
    // RFC 8017 § A.1.2 in its order. Keys without the primes are rejected: they would be slower and are rare.
    for name in ["n", "e", "d", "p", "q", "dp", "dq", "qi"] {
      guard let number = members[name].flatMap({ Base64URL.decode($0) }) else {
        throw JOSEError(.unsuitableKey, "The RSA key lacks a member of its private half: d, p, q, dp, dq, qi.")
      }
      content += DER.unsignedInteger(number)
    }
    var pkcs1 = DER.element(DER.Tag.sequence, content)
    defer { pkcs1.wipe() }
    try self.init(SystemRSAPrivateKey(pkcs1: pkcs1))
  }

  init?(_ info: PrivateKeyInfo) throws(JOSEError) {
    guard info.identifier == .rsa else { return nil }
    try Self.requireTwoPrimes(info.key)
    try self.init(SystemRSAPrivateKey(pkcs1: info.key))
  }

  /// Validates `RSAPrivateKey` (RFC 8017 § A.1.2): version 0 and eight numbers.
  private static func requireTwoPrimes(_ pkcs1: [UInt8]) throws(JOSEError) {
    var reader = DER.Reader(pkcs1)
    let content = reader.nested()
    guard var content, reader.isAtEnd, content.unsignedInteger()?.isEmpty == true,
      (0..<8).allSatisfy({ _ in content.unsignedInteger()?.isEmpty == false }), content.isAtEnd
    else { throw JOSEError(.unsuitableKey, "The RSA private key could not be read.") }
  }

  var preferredAlgorithm: JWS.Algorithm { .rs256 }

  func signature(for message: [UInt8], by algorithm: JWS.Algorithm) throws(JOSEError) -> [UInt8] {
    try key.signature(for: message, padding: RSAPublicKey.padding(of: algorithm))
  }

  func privateKeyInfo() throws(JOSEError) -> PrivateKeyInfo { PrivateKeyInfo(.rsa, key: try key.pkcs1()) }
}

extension JWS.Algorithm {
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  public static let rs256 = JWS.Algorithm(rawValue: "RS256")
  /// RSASSA-PKCS1-v1_5 with SHA-384.
  public static let rs384 = JWS.Algorithm(rawValue: "RS384")
  /// RSASSA-PKCS1-v1_5 with SHA-512.
  public static let rs512 = JWS.Algorithm(rawValue: "RS512")
  /// RSASSA-PSS with SHA-256.
  public static let ps256 = JWS.Algorithm(rawValue: "PS256")
  /// RSASSA-PSS with SHA-384.
  public static let ps384 = JWS.Algorithm(rawValue: "PS384")
  /// RSASSA-PSS with SHA-512.
  public static let ps512 = JWS.Algorithm(rawValue: "PS512")
}
