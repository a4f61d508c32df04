// SPDX-License-Identifier: Apache-2.0

/// A signed message in the compact form ([RFC 7515 § 3.1](https://www.rfc-editor.org/rfc/rfc7515.html#section-3.1)):
/// an ID token, an assertion, a proof.
///
/// Only a successful verification returns the payload:
///
/// ```swift
/// let text = try JWS.sign(claims, with: key, keyID: key.publicJWK.keyID)
/// let claims = try JWS(compact: text).payload(verifiedWith: keys, allowing: [.es256])
/// ```
public struct JWS: Sendable {
  /// The protected header: the sender's claims about the message, not verified yet.
  public let header: Header

  private static let sizeLimit = 262_144

  private let signingInput: [UInt8]
  private let payload: [UInt8]
  private let signature: [UInt8]

  /// Parses a compact JWS.
  ///
  /// This verifies nothing.
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/malformed``, also above 256 KiB, or
  ///   ``JOSEError/Code/unsupportedExtension``.
  public init(compact: String) throws(JOSEError) {
    guard compact.utf8.count <= Self.sizeLimit else {
      throw JOSEError(.malformed, "The compact JWS is longer than 256 KiB.")
    }
    let text = Array(compact.utf8)
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2])
    else { throw JOSEError(.malformed, "The text is not a compact JWS of three Base64URL parts.") }
    self.header = try Header(json: header)
    self.payload = payload
    self.signature = signature
    signingInput = Array(text[..<parts[1].endIndex])
  }

  /// Returns the payload after verifying the signature with one key.
  ///
  /// The header selects among the key's algorithms.
  ///
  /// - Throws: ``JOSEError``.
  public func payload(verifiedWith key: VerificationKey) throws(JOSEError) -> [UInt8] {
    try verifiedPayload(allowing: key.algorithms) { signature, message throws(JOSEError) in
      try key.verifies(signature, of: message, by: header.algorithm)
    }
  }

  /// Returns the payload after verifying the signature with one key.
  ///
  /// - Parameters:
  ///   - key: The signer's public key.
  ///   - algorithms: The algorithms expected by the caller. `none` never verifies, even if it is included.
  /// - Throws: ``JOSEError``.
  public func payload(verifiedWith key: JWK, allowing algorithms: Set<Algorithm>) throws(JOSEError) -> [UInt8] {
    try requireAlgorithm(among: algorithms)
    return try payload(verifiedWith: VerificationKey(key, for: [header.algorithm]))
  }

  /// Returns the payload after verifying the signature with the matching keys of a set.
  ///
  /// - Parameters:
  ///   - keys: The signer's public keys. If the header names no key, those of the matching type are tried, 16 at most.
  ///   - algorithms: The algorithms expected by the caller. `none` never verifies, even if it is included.
  /// - Throws: ``JOSEError``, with code ``JOSEError/Code/noSuitableKey`` if the set should be fetched again, and
  ///   ``JOSEError/Code/tooManyKeys`` if 16 keys were tried and more match.
  public func payload(verifiedWith keys: JWKSet, allowing algorithms: Set<Algorithm>) throws(JOSEError) -> [UInt8] {
    try requireAlgorithm(among: algorithms)
    var failure = JOSEError(.noSuitableKey, "The key set has no key that matches the JWS header.")
    var tried = 0
    for (index, key) in keys.keys.enumerated() where key.mayHaveMade(header) {
      guard tried < JWKSet.mostTried else {
        throw JOSEError(
          .tooManyKeys,
          "More than \(JWKSet.mostTried) keys match the JWS header. Its issuer must name the key with kid, or publish fewer keys."
        )
      }
      tried += 1
      do { return try payload(verifiedWith: keys.verificationKey(at: index)) } catch { failure = error }
    }
    throw failure
  }

  /// Returns the payload if the signature is valid and its algorithm is in `algorithms`.
  func verifiedPayload(
    allowing algorithms: Set<Algorithm>,
    if verifies: (_ signature: [UInt8], _ message: [UInt8]) throws(JOSEError) -> Bool
  ) throws(JOSEError) -> [UInt8] {
    guard algorithms.contains(header.algorithm) else { throw Self.algorithmNotAllowed }
    guard try verifies(signature, signingInput) else {
      throw JOSEError(.invalidSignature, "The signature does not match the content and the key.")
    }
    return payload
  }

  private func requireAlgorithm(among algorithms: Set<Algorithm>) throws(JOSEError) {
    guard algorithms.contains(header.algorithm) else { throw Self.algorithmNotAllowed }
    guard Algorithm.asymmetric.contains(header.algorithm) else {
      throw JOSEError(
        .unsupportedAlgorithm, "Signatures of the algorithm in the JWS header cannot be verified with a public key.")
    }
  }

  private static var algorithmNotAllowed: JOSEError {
    JOSEError(.algorithmNotAllowed, "The JWS is signed with an algorithm that is not allowed here.")
  }
}

extension JWS {
  /// Signs `payload` and returns the compact form.
  ///
  /// - Parameters:
  ///   - payload: The payload, for a JWT the claims in JSON.
  ///   - key: The key, whose algorithm is written to the header.
  ///   - keyID: The identifier by which the verifier finds the public key.
  ///   - type: The type of the message, `typ`.
  ///   - publicKey: The public key for the header of a proof of possession. Only its ``JWK/bare`` members are written.
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/cryptographyFailed``.
  public static func sign(
    _ payload: [UInt8], with key: some JWSSigningKey, keyID: String? = nil, type: String? = "JWT",
    publicKey: JWK? = nil
  ) throws(JOSEError) -> String {
    let header = Header(algorithm: key.algorithm, keyID: keyID, type: type, publicKey: publicKey?.bare).json()
    let signingInput = Base64URL.encode(header) + "." + Base64URL.encode(payload)
    return signingInput + "." + Base64URL.encode(try key.signature(for: Array(signingInput.utf8)))
  }
}

extension JWS: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The algorithm only: a JWS is often a credential.
  public var description: String { "JWS signed with \(header.algorithm.rawValue)" }

  /// The algorithm only.
  public var debugDescription: String { description }

  /// A mirror of the header only.
  public var customMirror: Mirror { Mirror(self, children: ["header": header]) }
}
