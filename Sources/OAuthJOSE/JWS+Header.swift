// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension JWS {
  /// The members of a protected header used by this module
  /// ([RFC 7515 § 4.1](https://www.rfc-editor.org/rfc/rfc7515.html#section-4.1)).
  ///
  /// Keys contained in a header or referred to by it (`jwk`, `jku`, `x5c`) are never used for verification. To verify a proof
  /// of possession, take ``publicKey`` and compare its thumbprint with the expected one.
  public struct Header: Sendable, Hashable {
    /// The algorithm, `alg`.
    public let algorithm: Algorithm
    /// The identifier of the key, `kid`.
    public let keyID: String?
    /// The type of the message, `typ`.
    public let type: String?
    /// The public key that the sender claims to have signed with, `jwk`.
    public let publicKey: JWK?
  }
}

extension JWS.Header: Codable {
  /// Decodes a header.
  ///
  /// The decoder may have accepted JSON with duplicate parameters.
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
      throw JOSEError(.malformed, "The JWS header has a duplicate parameter.")
    }
  }

  private init(_ value: JSONValue) throws(JOSEError) {
    guard let members = JSONMembers(value) else { throw Self.malformed }
    // RFC 7515 § 4.1.3, RFC 9449 § 4.3: the key is public.
    guard members.values["jwk"]?.object?.keys.contains(where: JWK.secretMembers.contains) != true else {
      throw JOSEError(.malformed, "The JWS header contains a private key.")
    }
    // RFC 7515 § 4.1.11: an unsupported critical extension makes the JWS invalid.
    guard members.values["crit"] == nil else {
      throw JOSEError(.unsupportedExtension, "The JWS requires an extension that is not supported.")
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
    JOSEError(.malformed, "The JWS header is not a JSON object with an algorithm.")
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
