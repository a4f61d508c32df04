// SPDX-License-Identifier: Apache-2.0

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
  private enum CodingKeys: CodingKey { case algorithm, privateKey }

  /// Encodes the key with its secret unencrypted: keep the encoded form as safe as the secret itself.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(algorithm, forKey: .algorithm)
    try container.encode(privateKey.reveal(), forKey: .privateKey)
  }

  /// Decodes the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      algorithm: try container.decode(String.self, forKey: .algorithm),
      privateKey: Secret(try container.decode(String.self, forKey: .privateKey)))
  }
}
