// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The private key that tokens are bound to, as stored with them
/// ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
///
/// The tokens are useless without it. No description shows the key.
public struct ProofKey: Sendable, Hashable {
  /// The signature algorithm of the key, such as `ES256`.
  public let algorithm: String
  /// The key as PEM text (PKCS #8).
  public let privateKey: Secret

  /// Creates a record of a key, without checking the key.
  ///
  /// - Parameters:
  ///   - algorithm: The signature algorithm of the key, such as `ES256`.
  ///   - privateKey: The key as PEM text (PKCS #8).
  public init(algorithm: String, privateKey: Secret) {
    self.algorithm = algorithm
    self.privateKey = privateKey
  }
}

extension ProofKey: Codable {
  /// Encodes the key with its secret unencrypted: keep the encoded form as safe as the secret itself.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// Decodes the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    do {
      try self.init(json: JSONValue(from: decoder))
    } catch let error as JSONMembers.Mismatch {
      throw DecodingError(error, at: decoder.codingPath)
    }
  }
}
