// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The public half of a JSON Web Key ([RFC 7517 § 4](https://www.rfc-editor.org/rfc/rfc7517.html#section-4)).
///
/// Members that would give a secret away (`d`, `k` and their kin) are dropped when a key is decoded and never written.
public struct JWK: Sendable, Hashable {
  /// The type of a key, `kty`; an open set.
  public struct KeyType: Sendable, Hashable, RawRepresentable, Codable {
    /// The type as it is written.
    public let rawValue: String

    /// Creates a type from its name as it is written.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// RSA ([RFC 7518 § 6.3](https://www.rfc-editor.org/rfc/rfc7518.html#section-6.3)).
    public static let rsa = KeyType(rawValue: "RSA")
    /// Elliptic curve ([RFC 7518 § 6.2](https://www.rfc-editor.org/rfc/rfc7518.html#section-6.2)).
    public static let ec = KeyType(rawValue: "EC")
    /// Octet key pair, such as Ed25519 ([RFC 8037 § 2](https://www.rfc-editor.org/rfc/rfc8037.html#section-2)).
    public static let okp = KeyType(rawValue: "OKP")
  }

  /// The key's type, `kty`.
  public let keyType: KeyType
  /// The key's name within its set, `kid`.
  public var keyID: String?
  /// What the key is for, `use`: `sig` or `enc`.
  public var use: String?
  /// What the key is for in detail, `key_ops`.
  public var operations: [String]?
  /// The only algorithm the key is for, `alg`.
  public var algorithm: JWS.Algorithm?
  /// The public members of the key's type as they are written, such as `n` and `e`.
  public let parameters: [String: String]

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - keyType: The type.
  ///   - keyID: The key's name within its set.
  ///   - parameters: The type's members, in Base64URL where the type says so. Those that are secret are left out.
  public init(keyType: KeyType, keyID: String? = nil, parameters: [String: String]) {
    self.keyType = keyType
    self.keyID = keyID
    self.parameters = parameters.filter { !Self.secretMembers.contains($0.key) }
  }

  static let secretMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"]
}

extension JWK: Codable {
  /// Decodes a key; members of other types than text that are not known are left out.
  public init(from decoder: any Decoder) throws { try self.init(JSONValue(from: decoder)) }

  /// Encodes the public members.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
