// SPDX-License-Identifier: Apache-2.0

import JSONCoding
public import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One thing that an authorization is requested for, in more detail than a scope can say
/// ([RFC 9396 § 2](https://www.rfc-editor.org/rfc/rfc9396.html#section-2)).
///
/// The type says what the members mean; describe them as a type of your own:
///
/// ```swift
/// struct Payment: Codable { var amount: String; var currency: String }
/// parameters.authorizationDetails = [
///   try AuthorizationDetail(type: "payment", Payment(amount: "12.50", currency: "EUR"))
/// ]
/// ```
///
/// Its description shows the type alone: the content may be private.
public struct AuthorizationDetail: Sendable, Hashable {
  /// What kind of authorization it is, as the server names it.
  public let type: String

  let members: [String: JSONValue]

  /// Creates a detail without further members.
  public init(type: String) {
    self.type = type
    members = [:]
  }

  /// Creates a detail.
  ///
  /// - Parameters:
  ///   - type: What kind of authorization it is, as the server names it.
  ///   - members: The further members, as what encodes to a JSON object. A member `type` in it is replaced.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if they are no JSON object.
  public init(type: String, _ members: some Encodable) throws {
    guard let text = try? JSONText.encode(members),
      case .object(let object)? = try? JSONValue(json: text)
    else {
      throw OAuthError(
        .invalidConfiguration, "The members of the authorization detail cannot be written as a JSON object.")
    }
    self.type = type
    self.members = object.filter { $0.key != "type" }
  }

  /// Returns the members as a type of your own, such as to read what was granted.
  ///
  /// - Throws: `DecodingError` if they are not as described.
  public func decode<Members: Decodable>(_ type: Members.Type) throws -> Members {
    try JSONDecoder().decode(type, from: Data(JSONText.encode(self)))
  }
}

extension AuthorizationDetail: Codable {
  /// Writes the detail as one object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MemberName.self)
    for (name, value) in members { try container.encode(value, forKey: MemberName(name)) }
    try container.encode(type, forKey: "type")
  }

  /// Reads an object that has a `type`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: MemberName.self)
    type = try container.decode(String.self, forKey: "type")
    var members: [String: JSONValue] = [:]
    for key in container.allKeys where key.stringValue != "type" {
      members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
    }
    self.members = members
  }
}

extension AuthorizationDetail: CustomStringConvertible, CustomReflectable {
  /// The type alone.
  public var description: String { "authorization detail of type \(OAuthError.printable(type, limit: 64))" }
  /// What a dump shows, without the content.
  public var customMirror: Mirror { Mirror(self, children: ["type": type]) }
}

extension [AuthorizationDetail] {
  /// Reads an array; `nil` if it is none of such details.
  init?(json: [UInt8]) {
    guard let details = try? JSONDecoder().decode([AuthorizationDetail].self, from: Data(json)) else { return nil }
    self = details
  }
}

extension StoredToken {
  /// The authorization details that were granted
  /// ([RFC 9396 § 7](https://www.rfc-editor.org/rfc/rfc9396.html#section-7)); empty if the server named none.
  public var grantedDetails: [AuthorizationDetail] {
    authorizationDetails.flatMap { [AuthorizationDetail](json: Array($0.utf8)) } ?? []
  }
}
