// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import PlatformFoundation
public import TokenStore

/// An authorization detail: a request for access, more specific than a scope
/// ([RFC 9396 § 2](https://www.rfc-editor.org/rfc/rfc9396.html#section-2)).
///
/// The detail's type defines its members. Declare a Swift type for them:
///
/// ```swift
/// struct Payment: Codable { var amount: String; var currency: String }
/// parameters.authorizationDetails = [
///   try AuthorizationDetail(type: "payment", Payment(amount: "12.50", currency: "EUR"))
/// ]
/// ```
///
/// The description shows only the type, since the content may be private.
public struct AuthorizationDetail: Sendable, Hashable {
  /// The type of the detail, as the server defines it.
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
  ///   - type: The type of the detail, as the server defines it.
  ///   - members: The further members: a value that encodes to a JSON object. A member `type` in it is replaced.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if `members` does not encode to a JSON object.
  public init(type: String, _ members: some Encodable) throws {
    guard let text = try? JSONText.encode(members),
      case .object(let object)? = try? JSONValue(json: text)
    else {
      throw OAuthError(
        .invalidConfiguration,
        "The members of the authorization detail cannot be written as a JSON object. Use a type that encodes to one.")
    }
    self.type = type
    self.members = object.filter { $0.key != "type" }
  }

  /// Returns the detail decoded as `type`, such as to read granted details.
  ///
  /// - Throws: `DecodingError` if the detail does not match the type.
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

  /// Reads an object with a `type`.
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
  /// The detail's type, without its content.
  public var description: String { "authorization detail of type \(OAuthError.printable(type, limit: 64))" }
  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["type": type]) }
}

extension [AuthorizationDetail] {
  /// Creates details from a JSON array, or returns `nil` if the text is not an array of details.
  init?(json: [UInt8]) {
    guard let details = try? JSONDecoder().decode([AuthorizationDetail].self, from: Data(json)) else { return nil }
    self = details
  }
}

extension StoredToken {
  /// The granted authorization details ([RFC 9396 § 7](https://www.rfc-editor.org/rfc/rfc9396.html#section-7)), or
  /// empty if the server returned none.
  public var grantedDetails: [AuthorizationDetail] {
    authorizationDetails.flatMap { [AuthorizationDetail](json: Array($0.utf8)) } ?? []
  }
}
