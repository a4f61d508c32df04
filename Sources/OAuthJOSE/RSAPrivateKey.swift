// SPDX-License-Identifier: Apache-2.0

import Support

/// An RSA private key for RS256, held by the system's cryptography library.
///
/// Any number of tasks may sign with one key at the same time. The key itself cannot be read back.
public struct RSAPrivateKey: JWSSigningKey {
  private let key: RSAKey
  private let publicMembers: [String: String]

  private init(_ key: RSAKey) throws(JOSEError) {
    guard let (modulus, exponent) = DER.readRSAPublicKey(try key.publicKey()) else {
      throw JOSEError(.cryptographyFailed, "The RSA public key could not be read.")
    }
    self.key = key
    publicMembers = ["n": Base64URL.encode(modulus), "e": Base64URL.encode(exponent)]
    try JWK.requireStrength(modulus: modulus, exponent: exponent)
  }

  /// Creates a key pair on a thread of its own, so that the caller's is free.
  ///
  /// - Parameter bits: The size of the modulus: 2048 to 8192. 2048 bits take a CPU some 50 to 500 ms.
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/unsuitableKey`` for another size; `CancellationError` if the
  ///   task was cancelled, at the latest when the key is ready.
  public static func generate(bits: Int = 2048) async throws -> RSAPrivateKey {
    try Task.checkCancellation()
    guard (2048...8192).contains(bits) else {
      throw JOSEError(.unsuitableKey, "An RSA key must have 2048 to 8192 bits.")
    }
    let key = try await BlockingWork.run { try RSAPrivateKey(RSAKey(generating: bits)) }
    try Task.checkCancellation()
    return key
  }

  /// Reads a key from PEM text, `PRIVATE KEY` (PKCS #8) or `RSA PRIVATE KEY` (PKCS #1), as a service account's key file
  /// holds it ([RFC 7468 § 10](https://www.rfc-editor.org/rfc/rfc7468.html#section-10)).
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/malformed`` or ``JOSEError/Code/unsuitableKey``.
  public init(pem: String) throws(JOSEError) {
    guard let (label, content) = PEM.decode(pem) else {
      throw JOSEError(.malformed, "The key is not PEM text. Give the whole block, from BEGIN to END.")
    }
    switch label {
    case "RSA PRIVATE KEY": try self.init(RSAKey(privateKey: content))
    case "PRIVATE KEY":
      guard let inner = DER.readPKCS8(content) else {
        throw JOSEError(.unsuitableKey, "The PEM block does not hold an RSA private key.")
      }
      try self.init(RSAKey(privateKey: inner))
    default:
      throw JOSEError(.unsuitableKey, "The PEM block is not an unencrypted private key.")
    }
  }

  /// RS256.
  public var algorithm: JWS.Algorithm { .rs256 }

  /// The public half, with its RFC 7638 thumbprint as `kid`, ready to be published in a ``JWKSet``.
  public var publicJWK: JWK {
    var key = JWK(keyType: .rsa, parameters: publicMembers)
    key.keyID = key.thumbprint
    key.use = "sig"
    key.algorithm = algorithm
    return key
  }

  /// Returns the RSASSA-PKCS1-v1_5 signature of `message` with SHA-256; takes about a millisecond.
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/cryptographyFailed``.
  public func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] { try key.sign(message) }
}

extension RSAPrivateKey: CustomStringConvertible, CustomReflectable {
  /// Nothing about the key itself.
  public var description: String { "RSA private key" }

  /// Nothing about the key itself.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
