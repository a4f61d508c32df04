// SPDX-License-Identifier: Apache-2.0

/// A set of public keys, as an authorization server publishes it
/// ([RFC 7517 § 5](https://www.rfc-editor.org/rfc/rfc7517.html#section-5)).
public struct JWKSet: Sendable, Hashable {
  /// The keys, in the order they were published.
  public var keys: [JWK]

  /// Creates a set.
  public init(_ keys: [JWK]) { self.keys = keys }

  /// Returns the keys that may have made a signature with this header: those with its `kid`, or all where it names none,
  /// as far as their type, use and algorithm fit.
  public func candidates(for header: JWS.Header) -> [JWK] {
    keys.filter { key in
      (header.keyID == nil || key.keyID == header.keyID) && key.keyType == header.algorithm.keyType
        && key.isForVerifying(header.algorithm)
    }
  }
}

extension JWKSet: Codable {
  private enum CodingKeys: CodingKey { case keys }

  /// Decodes a set.
  ///
  /// A key that cannot be understood is left out
  /// ([RFC 7517 § 5](https://www.rfc-editor.org/rfc/rfc7517.html#section-5)), so that one new kind of key does not shut
  /// out everybody.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    keys = try container.decode([Tolerated].self, forKey: .keys).compactMap(\.key)
  }

  private struct Tolerated: Decodable {
    let key: JWK?

    init(from decoder: any Decoder) throws { key = try? JWK(from: decoder) }
  }
}
