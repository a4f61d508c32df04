// SPDX-License-Identifier: Apache-2.0

import JSONCoding

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
    keys.filter { $0.mayHaveMade(header) }
  }

  /// The maximum number of keys that are tried for one signature.
  ///
  /// A set of 1 MiB can contain hundreds of keys of 8192 bits, and each costs a verification. Servers whose tokens name no key
  /// publish two or three.
  static let mostTried = 16

  /// Whether more than one key may have made a signature with this header, so that checking it can take long.
  package func hasSeveralCandidates(for header: JWS.Header) -> Bool {
    var first = true
    return keys.contains { key in
      guard key.mayHaveMade(header) else { return false }
      defer { first = false }
      return !first
    }
  }
}

extension JWK {
  func mayHaveMade(_ header: JWS.Header) -> Bool {
    (header.keyID == nil || keyID == header.keyID) && mayVerify(header.algorithm)
  }
}

extension JWKSet {
  private static let sizeLimit = 1_048_576

  /// Reads a set from JSON, as ``init(from:)`` does, and refuses names that stand twice in the set or in a key
  /// ([RFC 7517 § 4 and § 5](https://www.rfc-editor.org/rfc/rfc7517.html#section-4)), which a decoder does not see.
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/malformed``, also above 1 MiB.
  public init(json: [UInt8]) throws(JOSEError) {
    guard json.count <= Self.sizeLimit, let value = try? JSONValue(json: json, requiringUniqueNames: true) else {
      throw JOSEError(.malformed, "The text is not a JSON Web Key set, or names a member twice.")
    }
    try self.init(value)
  }

  private init(_ value: JSONValue) throws(JOSEError) {
    guard let keys = value["keys"]?.array else {
      throw JOSEError(.malformed, "The JSON Web Key set has no member keys that is an array.")
    }
    // RFC 7517 § 5: a key that cannot be understood is left out.
    self.keys = keys.compactMap { try? JWK($0) }
  }
}

extension JWKSet: Codable {
  /// Decodes a set.
  ///
  /// A key that cannot be understood is left out
  /// ([RFC 7517 § 5](https://www.rfc-editor.org/rfc/rfc7517.html#section-5)), so that one new kind of key does not shut
  /// out everybody.
  public init(from decoder: any Decoder) throws { try self.init(JSONValue(from: decoder)) }
}
