// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The names of a JSON object's members.
package enum JSONMembers {
  /// Returns whether `json` is an object in which, at any depth, no name occurs twice in one object.
  ///
  /// Of two members of one name Foundation's decoder takes the first, other readers the last: JOSE wants such a header, key or
  /// claims set refused ([RFC 7515 § 4](https://www.rfc-editor.org/rfc/rfc7515.html#section-4),
  /// [RFC 7519 § 4](https://www.rfc-editor.org/rfc/rfc7519.html#section-4)).
  package static func areUnique(in json: [UInt8]) -> Bool {
    guard let decoded = try? JSONDecoder().decode(Members.self, from: Data(json)), decoded.isObject else {
      return false
    }
    return decoded.count == memberCount(of: json)
  }

  /// Counts the members of text that is known to be well-formed: by the colons outside of strings.
  private static func memberCount(of json: [UInt8]) -> Int {
    var (count, isString, isEscaped) = (0, false, false)
    for byte in json {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isString = true
      case UInt8(ascii: ":"): count += 1
      default: break
      }
    }
    return count
  }

  /// The members that are left after decoding, those of inner values included.
  private struct Members: Decodable {
    private(set) var count = 0
    private(set) var isObject = false

    init(from decoder: any Decoder) throws {
      if let object = try? decoder.container(keyedBy: Name.self) {
        isObject = true
        count = object.allKeys.count
        for name in object.allKeys { count += try object.decode(Members.self, forKey: name).count }
      } else if var array = try? decoder.unkeyedContainer() {
        while !array.isAtEnd { count += try array.decode(Members.self).count }
      }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
