// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension JWS {
  /// The members of a protected header that this module acts on
  /// ([RFC 7515 § 4.1](https://www.rfc-editor.org/rfc/rfc7515.html#section-4.1)).
  ///
  /// Keys that a header carries or points to (`jwk`, `jku`, `x5c`) are never used: what checks a proof of
  /// possession takes ``publicKey`` and compares its thumbprint with the one it expects.
  public struct Header: Sendable, Hashable {
    /// The algorithm, `alg`.
    public let algorithm: Algorithm
    /// The name of the key, `kid`.
    public let keyID: String?
    /// What the whole is, `typ`.
    public let type: String?
    /// The public key that the sender claims to have signed with, `jwk`.
    public let publicKey: JWK?
  }
}

extension JWS.Header: Codable {
  /// Decodes a header, which a decoder may have read from JSON that names a parameter twice.
  public init(from decoder: any Decoder) throws { try self.init(JSONValue(from: decoder)) }

  /// Encodes the parameters.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension JWS.Header {
  init(json: [UInt8]) throws(JOSEError) {
    try self.init(Self.value(of: json))
  }

  private static func value(of json: [UInt8]) throws(JOSEError) -> JSONValue {
    do throws(JSONParseError) {
      return try JSONValue(json: json, requiringUniqueNames: true)
    } catch {
      guard error.reason == .repeatedName else { throw malformed }
      throw JOSEError(.malformed, "The header of the JWS names a parameter twice.")
    }
  }

  private init(_ value: JSONValue) throws(JOSEError) {
    guard let members = JSONMembers(value) else { throw Self.malformed }
    // RFC 7515 § 4.1.3, RFC 9449 § 4.3: the key is public.
    guard members.values["jwk"]?.object?.keys.contains(where: JWK.secretMembers.contains) != true else {
      throw JOSEError(.malformed, "The header of the JWS gives a private key away.")
    }
    // RFC 7515 § 4.1.11: an extension that must be understood and is not makes the whole invalid.
    guard members.values["crit"] == nil else {
      throw JOSEError(.unsupportedExtension, "The JWS demands an extension that is not understood.")
    }
    do throws(JSONMembers.Mismatch) {
      algorithm = JWS.Algorithm(rawValue: try members.required("alg", \.string))
      keyID = try members.optional("kid", \.string)
      type = try members.optional("typ", \.string)
      publicKey = try members.optional("jwk") { try? JWK($0) }
    } catch {
      throw Self.malformed
    }
  }

  private static var malformed: JOSEError {
    JOSEError(.malformed, "The header of the JWS is not a JSON object with an algorithm.")
  }

  func json() -> [UInt8] { value.json() }

  private var value: JSONValue {
    var members: [String: JSONValue] = ["alg": .string(algorithm.rawValue)]
    members["kid"] = keyID.map(JSONValue.string)
    members["typ"] = type.map(JSONValue.string)
    members["jwk"] = publicKey?.json
    return .object(members)
  }
}
