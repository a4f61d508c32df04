// SPDX-License-Identifier: Apache-2.0

/// A checked public key, with the algorithms whose signatures it verifies.
///
/// The algorithms come from the key: its type, its curve, and its `alg`, `use` and `key_ops`. The header of a ``JWS`` only
/// selects among them, so a signature of another kind cannot be accepted by mistake.
///
/// ```swift
/// let key = try VerificationKey(pem: text, for: [.ps256])
/// let claims = try JWS(compact: token).payload(verifiedWith: key)
/// ```
public struct VerificationKey: Sendable {
  /// The algorithms whose signatures the key verifies, never empty.
  public let algorithms: Set<JWS.Algorithm>
  /// The public key.
  public let jwk: JWK

  private let key: any PublicKey

  /// Checks a key.
  ///
  /// - Parameters:
  ///   - jwk: The public key.
  ///   - algorithms: The algorithms expected by the caller. Those that match the key remain. An RSA key without `alg`
  ///     matches six.
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/unsuitableKey`` if no algorithm is left, or the key is too small, not
  ///   on its curve or damaged.
  public init(_ jwk: JWK, for algorithms: Set<JWS.Algorithm> = JWS.Algorithm.asymmetric) throws(JOSEError) {
    guard let type = KeyTypes.publicKey(jwk.keyType) else {
      throw JOSEError(.unsuitableKey, "Signatures cannot be verified with a key of this type.")
    }
    self.algorithms = jwk.signatureAlgorithms.intersection(algorithms)
    guard !self.algorithms.isEmpty else {
      throw JOSEError(.unsuitableKey, "The key is of another type or curve, or for another use or algorithm.")
    }
    self.jwk = jwk
    key = try type.init(members: jwk.parameters)
  }

  /// Parses a key from PEM text: `PUBLIC KEY` ([RFC 5280 § 4.1](https://www.rfc-editor.org/rfc/rfc5280.html#section-4.1)) or
  /// `RSA PUBLIC KEY` (PKCS #1).
  ///
  /// - Parameters:
  ///   - pem: The text, up to 64 KiB.
  ///   - algorithms: As in ``init(_:for:)``.
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/malformed`` or ``JOSEError/Code/unsuitableKey``.
  public init(pem: String, for algorithms: Set<JWS.Algorithm> = JWS.Algorithm.asymmetric) throws(JOSEError) {
    let block = try PEM.decode(pem, labels: ["PUBLIC KEY", "RSA PUBLIC KEY"])
    let info =
      block.label == "PUBLIC KEY"
      ? SubjectPublicKeyInfo(der: block.content) : SubjectPublicKeyInfo(.rsa, key: block.content)
    guard let info else { throw JOSEError(.unsuitableKey, "The PEM block does not contain a public key.") }
    for type in KeyTypes.publicKeys {
      if let key = try type.init(info) {
        try self.init(JWK(keyType: type.keyType, parameters: key.members), for: algorithms)
        return
      }
    }
    throw JOSEError(.unsuitableKey, "The public key is of a type or curve that no supported algorithm uses.")
  }

  /// Returns whether a signature of `message`, in the form of a JWS, is valid for this key.
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/algorithmNotAllowed`` if the algorithm is not one of ``algorithms``, or
  ///   ``JOSEError/Code/cryptographyFailed``.
  public func verifies(_ signature: [UInt8], of message: [UInt8], by algorithm: JWS.Algorithm) throws(JOSEError) -> Bool
  {
    guard algorithms.contains(algorithm) else {
      throw JOSEError(.algorithmNotAllowed, "The key cannot verify signatures of this algorithm.")
    }
    return try key.verifies(signature, of: message, by: algorithm)
  }
}

extension JWK {
  /// The verification algorithms of the key by its type, curve, `use`, `key_ops` and `alg` (RFC 7517 § 4.2 to § 4.4).
  ///
  /// Its numbers are not examined.
  var signatureAlgorithms: Set<JWS.Algorithm> {
    guard isForVerification else { return [] }
    let fitting = KeyTypes.publicKey(keyType)?.algorithms(fitting: parameters) ?? []
    return algorithm.map { fitting.intersection([$0]) } ?? fitting
  }

  /// Whether ``signatureAlgorithms`` contains an algorithm.
  func mayVerify(_ algorithm: JWS.Algorithm) -> Bool {
    isForVerification && (self.algorithm ?? algorithm) == algorithm
      && KeyTypes.publicKey(keyType)?.algorithms(fitting: parameters).contains(algorithm) ?? false
  }

  private var isForVerification: Bool {
    (use == nil || use == "sig") && operations?.contains("verify") != false
  }
}
