// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A set of public keys, as an authorization server publishes it
/// ([RFC 7517 § 5](https://www.rfc-editor.org/rfc/rfc7517.html#section-5)).
public struct JWKSet: Sendable, Hashable {
  /// The keys, in the order they were published.
  public var keys: [JWK]

  /// Creates a set.
  public init(_ keys: [JWK]) { self.keys = keys }

  /// Returns the keys that may have made a signature with this header: those with its `kid`, or all where it names none,
  /// as far as their type, curve, use and algorithm fit.
  public func candidates(for header: JWS.Header) -> [JWK] {
    keys.filter { key in
      (header.keyID == nil || key.keyID == header.keyID) && key.signatureAlgorithms.contains(header.algorithm)
    }
  }
}

extension JWKSet {
  private static let sizeLimit = 1_048_576

  /// Reads a set from JSON, as ``init(from:)`` does, and refuses names that stand twice in the set or in a key
  /// ([RFC 7517 § 4 and § 5](https://www.rfc-editor.org/rfc/rfc7517.html#section-4)), which a decoder does not see.
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/malformed``, also above 1 MiB.
  public init(json: [UInt8]) throws(JOSEError) {
    guard json.count <= Self.sizeLimit, JSONMembers.areUnique(in: json),
      let set = try? JSONDecoder().decode(JWKSet.self, from: Data(json))
    else { throw JOSEError(.malformed, "The text is not a JSON Web Key set, or names a member twice.") }
    self = set
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
