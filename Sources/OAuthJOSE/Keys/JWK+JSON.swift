// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JWK {
  private static let sizeLimit = 65_536

  /// Reads a key from JSON, as ``init(from:)`` does, and refuses names that stand twice
  /// ([RFC 7517 § 4](https://www.rfc-editor.org/rfc/rfc7517.html#section-4)), which a decoder does not see.
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/malformed``, also above 64 KiB.
  public init(json: [UInt8]) throws(JOSEError) {
    guard json.count <= Self.sizeLimit, JSONMembers.areUnique(in: json),
      let key = try? JSONDecoder().decode(JWK.self, from: Data(json))
    else { throw JOSEError(.malformed, "The text is not a JSON Web Key, or names a member twice.") }
    self = key
  }

  /// Reads a private key: what the public half says of itself, and all members in text.
  static func decodePrivate(_ text: String) throws(JOSEError) -> (key: JWK, members: [String: String]) {
    var json = Array(text.utf8)
    defer { json.wipe() }
    let key = try JWK(json: json)
    guard let members = try? JSONDecoder().decode(TextMembers.self, from: Data(json)) else {
      throw JOSEError(.malformed, "The text is not a JSON Web Key.")
    }
    return (key, members.values)
  }

  private struct TextMembers: Decodable {
    let values: [String: String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Member.self)
      values = container.allKeys.reduce(into: [:]) { values, member in
        values[member.stringValue] = try? container.decode(String.self, forKey: member)
      }
    }
  }
}
