// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The names of a JSON object's members.
package enum JSONMembers {
  /// Returns whether `json` is an object in which no name occurs twice, at its outermost level.
  ///
  /// Of two members of one name Foundation's decoder takes the first, other readers the last: JOSE wants such a header or
  /// claims set refused ([RFC 7515 § 4](https://www.rfc-editor.org/rfc/rfc7515.html#section-4),
  /// [RFC 7519 § 4](https://www.rfc-editor.org/rfc/rfc7519.html#section-4)).
  package static func areUnique(in json: [UInt8]) -> Bool {
    guard let names = try? JSONDecoder().decode(Names.self, from: Data(json)) else { return false }
    return names.count == memberCount(of: json)
  }

  /// Counts the members of an object that is known to be well-formed: by the colons outside of strings and inner values.
  private static func memberCount(of json: [UInt8]) -> Int {
    var (count, depth, isString, isEscaped) = (0, 0, false, false)
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
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ":") where depth == 1: count += 1
      default: break
      }
    }
    return count
  }

  /// The names that are left after decoding.
  private struct Names: Decodable {
    let count: Int

    init(from decoder: any Decoder) throws { count = try decoder.container(keyedBy: Name.self).allKeys.count }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
