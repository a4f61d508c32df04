// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension JWK {
  private static let sizeLimit = 65_536

  /// Reads a key from JSON, as ``init(from:)`` does, and refuses names that stand twice
  /// ([RFC 7517 § 4](https://www.rfc-editor.org/rfc/rfc7517.html#section-4)), which a decoder does not see.
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/malformed``, also above 64 KiB.
  public init(json: [UInt8]) throws(JOSEError) {
    try self.init(Self.value(of: json))
  }

  private static func value(of json: [UInt8]) throws(JOSEError) -> JSONValue {
    guard json.count <= sizeLimit, let value = try? JSONValue(json: json, requiringUniqueNames: true) else {
      throw JOSEError(.malformed, "The text is not a JSON Web Key, or names a member twice.")
    }
    return value
  }

  init(_ value: JSONValue) throws(JOSEError) {
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

  /// Reads a private key: what the public half says of itself, and all members in text.
  static func decodePrivate(_ text: String) throws(JOSEError) -> (key: JWK, members: [String: String]) {
    var json = Array(text.utf8)
    defer { json.wipe() }
    let value = try value(of: json)
    return (try JWK(value), value.object?.compactMapValues(\.string) ?? [:])
  }
}
