// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The public half of a JSON Web Key ([RFC 7517 § 4](https://www.rfc-editor.org/rfc/rfc7517.html#section-4)).
///
/// Secret members (`d`, `k` and similar ones) are dropped when a key is decoded, and never written.
public struct JWK: Sendable, Hashable {
  /// The type of a key, `kty`, as an open set.
  public struct KeyType: Sendable, Hashable, RawRepresentable, Codable {
    /// The type's name as written.
    public let rawValue: String

    /// Creates a type from its name as written.
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
  /// The key's identifier within its set, `kid`.
  public var keyID: String?
  /// The purpose of the key, `use`: `sig` or `enc`.
  public var use: String?
  /// The operations the key is for, `key_ops`.
  public var operations: [String]?
  /// The only algorithm the key is for, `alg`.
  public var algorithm: JWS.Algorithm?
  /// The public members of the key's type as written, such as `n` and `e`.
  public private(set) var parameters: [String: String]

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - keyType: The type.
  ///   - keyID: The key's identifier within its set.
  ///   - parameters: The type's members, in Base64URL where the type requires it. Secret members are left out.
  public init(keyType: KeyType, keyID: String? = nil, parameters: [String: String]) {
    self.keyType = keyType
    self.keyID = keyID
    self.parameters = parameters.filter { !Self.secretMembers.contains($0.key) }
  }

  static let secretMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"]
}

extension JWK: Codable {
  /// Decodes a key.
  ///
  /// Unknown members other than text are left out.
  public init(from decoder: any Decoder) throws { try self.init(JSONValue(from: decoder)) }

  /// Encodes the public members.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension JWK {
  private static let sizeLimit = 65_536

  /// Parses a key from JSON as ``init(from:)`` does, and rejects duplicate names.
  ///
  /// A decoder does not see duplicate names ([RFC 7517 § 4](https://www.rfc-editor.org/rfc/rfc7517.html#section-4)).
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/malformed``, also above 64 KiB.
  public init(json: [UInt8]) throws(JOSEError) {
    try self.init(Self.value(of: json))
  }

  private static func value(of json: [UInt8]) throws(JOSEError) -> JSONValue {
    guard json.count <= sizeLimit, let value = try? JSONValue(json: json, requiringUniqueNames: true) else {
      throw JOSEError(.malformed, "The text is not a JSON Web Key, or has a duplicate member.")
    }
    return value
  }

  init(_ value: JSONValue) throws(JOSEError) {
    // `null` is absent. An empty `use`, `key_ops` or `alg` is a restriction to nothing, so the key is not used.
    guard let members = JSONMembers(value) else {
      throw JOSEError(.malformed, "The JSON Web Key is not a JSON object.")
    }
    do throws(JSONMembers.Mismatch) {
      let parameters = members.values.filter { !Self.commonMembers.contains($0.key) }
      self.init(
        keyType: KeyType(rawValue: try members.required("kty", \.string)), keyID: try members.optional("kid", \.string),
        parameters: parameters.compactMapValues(\.string))
      use = try members.optional("use", \.string)
      operations = try members.optional("key_ops", \.strings)
      algorithm = try members.optional("alg", \.string).map(JWS.Algorithm.init(rawValue:))
    } catch {
      throw JOSEError(.malformed, "The member \(error.name) of the JSON Web Key is missing or of another type.")
    }
  }

  /// The key with its numbers in Base64URL, even if they are published in standard Base64 or with padding.
  ///
  /// [RFC 7518 § 2](https://www.rfc-editor.org/rfc/rfc7518.html#section-2) requires Base64URL without padding, but some servers publish
  /// other forms. In a published set, the form has no meaning: the key is the same, and so is its thumbprint.
  var withBase64URLNumbers: JWK {
    var key = self
    for name in KeyTypes.publicKey(keyType)?.members ?? [] {
      key.parameters[name] = parameters[name].map(Base64URL.respelled)
    }
    return key
  }

  private static let commonMembers: Set<String> = ["kty", "kid", "use", "key_ops", "alg"]

  /// The public members.
  var json: JSONValue {
    var members = parameters.mapValues(JSONValue.string)
    members["kty"] = .string(keyType.rawValue)
    members["kid"] = keyID.map(JSONValue.string)
    members["use"] = use.map(JSONValue.string)
    members["key_ops"] = operations.map { .array($0.map(JSONValue.string)) }
    members["alg"] = (algorithm?.rawValue).map(JSONValue.string)
    return .object(members)
  }

  /// Parses a private key into its public half and all text members.
  static func decodePrivate(_ text: String) throws(JOSEError) -> (key: JWK, members: [String: String]) {
    var json = Array(text.utf8)
    defer { json.wipe() }
    let value = try value(of: json)
    return (try JWK(value), value.object?.compactMapValues(\.string) ?? [:])
  }
}

extension JWK {
  /// The SHA-256 thumbprint in Base64URL ([RFC 7638](https://www.rfc-editor.org/rfc/rfc7638.html)), an identifier that
  /// every implementation computes alike.
  ///
  /// It is `nil` if the type is unknown, or if a required member is missing or not plain ASCII.
  public var thumbprint: String? {
    guard let type = KeyTypes.publicKey(keyType) else { return nil }
    var members: [String] = []
    for name in (type.members + ["kty"]).sorted() {
      // RFC 7638 § 3.3: the members in order of their names, without whitespace; none of these needs escaping.
      guard let value = name == "kty" ? keyType.rawValue : parameters[name],
        value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
      else { return nil }
      members.append("\"\(name)\":\"\(value)\"")
    }
    return Base64URL.encode(MessageDigest.sha256("{\(members.joined(separator: ","))}"))
  }

  /// The essential members of the key, without `kid`, `use`, `key_ops`, `alg` and others, as in a DPoP proof
  /// ([RFC 9449 § 4.2](https://www.rfc-editor.org/rfc/rfc9449.html#section-4.2)).
  public var bare: JWK {
    let members = KeyTypes.publicKey(keyType)?.members
    return JWK(keyType: keyType, parameters: parameters.filter { members?.contains($0.key) ?? true })
  }
}
