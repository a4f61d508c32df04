// SPDX-License-Identifier: Apache-2.0

extension JWS {
  /// A signature algorithm, `alg` ([RFC 7518 § 3.1](https://www.rfc-editor.org/rfc/rfc7518.html#section-3.1)): an open
  /// set, of which only the named ones can be verified.
  ///
  /// `none` is not among them.
  public struct Algorithm: Sendable, Hashable, RawRepresentable, Codable {
    /// The algorithm as it is written.
    public let rawValue: String

    /// Creates an algorithm from its name as it is written.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    public static let rs256 = Algorithm(rawValue: "RS256")
  }
}

extension JWS.Algorithm {
  /// The type of key that the algorithm takes; `nil` if it is not implemented.
  var keyType: JWK.KeyType? {
    switch self {
    case .rs256: .rsa
    default: nil
    }
  }

  func verify(_ signature: [UInt8], of message: [UInt8], with key: JWK) throws(JOSEError) -> Bool {
    switch self {
    case .rs256: try Cryptography.verifyRS256(signature, of: message, publicKey: key.rsaPublicKey())
    default: throw unsupported
    }
  }

  var unsupported: JOSEError {
    JOSEError(.unsupportedAlgorithm, "Signatures of the algorithm that the JWS names cannot be verified.")
  }
}
