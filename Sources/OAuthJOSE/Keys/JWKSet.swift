// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Synchronization

/// A set of public keys, as an authorization server publishes it
/// ([RFC 7517 § 5](https://www.rfc-editor.org/rfc/rfc7517.html#section-5)).
///
/// A key is prepared for the system's cryptography library when it is first tried. The set and its copies keep the prepared key.
public struct JWKSet: Sendable, Hashable {
  /// The keys, in the order of the JSON document.
  public var keys: [JWK] { didSet { prepared = PreparedKeys() } }

  private var prepared = PreparedKeys()

  /// Creates a set.
  public init(_ keys: [JWK]) { self.keys = keys }

  /// Compares the published keys.
  public static func == (left: JWKSet, right: JWKSet) -> Bool { left.keys == right.keys }

  /// Hashes the published keys.
  public func hash(into hasher: inout Hasher) { hasher.combine(keys) }

  /// Returns the keys that can have made a signature with this header: those with its `kid`, or all if it names none.
  ///
  /// Their type, curve, use and algorithm must match the header.
  public func candidates(for header: JWS.Header) -> [JWK] {
    keys.filter { $0.mayHaveMade(header) }
  }

  /// The maximum number of keys to try for one signature.
  ///
  /// A set of 1 MiB can contain hundreds of keys of 8192 bits, and each costs a verification. Servers whose tokens name no key
  /// publish two or three keys.
  static let mostTried = 16

  /// Whether more than one key can have made a signature with this header, so verifying it can take long.
  package func hasSeveralCandidates(for header: JWS.Header) -> Bool {
    var first = true
    return keys.contains { key in
      guard key.mayHaveMade(header) else { return false }
      defer { first = false }
      return !first
    }
  }
}

extension JWKSet {
  /// Returns the key at an index, prepared for verification.
  ///
  /// - Throws: The errors of ``VerificationKey/init(_:for:)``.
  func verificationKey(at index: Int) throws(JOSEError) -> VerificationKey {
    if let result = prepared.results.withLock({ $0[index] }) { return try result.get() }
    let jwk = keys[index]
    // Outside of the lock: reading an RSA key takes as long as several signatures.
    let result = Result { () throws(JOSEError) in try VerificationKey(jwk) }
    prepared.results.withLock { $0[index] = result }
    return try result.get()
  }

  /// The tried keys of one list, by their index.
  ///
  /// It belongs to the list. A set whose keys change gets another object, and its copies keep theirs.
  private final class PreparedKeys: Sendable {
    let results = Mutex<[Int: Result<VerificationKey, JOSEError>]>([:])
  }
}

extension JWKSet: CustomReflectable {
  /// The published keys alone.
  public var customMirror: Mirror { Mirror(self, children: ["keys": keys], displayStyle: .struct) }
}

extension JWK {
  func mayHaveMade(_ header: JWS.Header) -> Bool {
    (header.keyID == nil || keyID == header.keyID) && mayVerify(header.algorithm)
  }
}

extension JWKSet {
  private static let sizeLimit = 1_048_576
  /// The maximum number of published keys.
  ///
  /// Large issuers publish about twenty.
  private static let mostKeys = 1_000

  /// Parses a set from JSON as ``init(from:)`` does, and rejects duplicate names in the set or in a key.
  ///
  /// A decoder does not see duplicate names ([RFC 7517 § 4 and § 5](https://www.rfc-editor.org/rfc/rfc7517.html#section-4)).
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/malformed``, also above 1 MiB and above 1,000 keys.
  public init(json: [UInt8]) throws(JOSEError) {
    guard json.count <= Self.sizeLimit else {
      throw JOSEError(.malformed, "The JSON Web Key set has \(json.count) bytes. At most 1 MiB is accepted.")
    }
    guard let value = try? JSONValue(json: json, requiringUniqueNames: true) else {
      throw JOSEError(.malformed, "The text is not a JSON Web Key set, or has a duplicate member.")
    }
    try self.init(value)
  }

  private init(_ value: JSONValue) throws(JOSEError) {
    // A server without keys may write null.
    guard let keys = value["keys"] == .null ? [] : value["keys"]?.array else {
      throw JOSEError(.malformed, "The JSON Web Key set's member keys is missing or not an array.")
    }
    guard keys.count <= Self.mostKeys else {
      throw JOSEError(
        .malformed,
        "The JSON Web Key set has \(keys.count) keys. At most \(Self.mostKeys) are accepted.")
    }
    // RFC 7517 § 5: a key that is not understood is ignored.
    self.keys = keys.compactMap { try? JWK($0).withBase64URLNumbers }
  }
}

extension JWKSet: Codable {
  private enum CodingKeys: CodingKey {
    case keys
  }

  /// Decodes a set.
  ///
  /// An unsupported key is ignored ([RFC 7517 § 5](https://www.rfc-editor.org/rfc/rfc7517.html#section-5)), so one new
  /// kind of key does not make the set unusable. A set of more than 1,000 keys is refused.
  public init(from decoder: any Decoder) throws { try self.init(JSONValue(from: decoder)) }
}
