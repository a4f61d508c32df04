// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A JSON document that is put together in place.
enum JSON: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case boolean(Bool)
  case array([JSON])
  case object([String: JSON])

  /// An object without the members that have no value.
  static func object(of members: [String: JSON?]) -> JSON { .object(members.compactMapValues(\.self)) }

  /// The document in UTF-8, members in the order of their names.
  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only numbers that are not finite cannot be encoded, and there are none.
    return (try? encoder.encode(self)).map(Array.init) ?? []
  }
}

extension JSON: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .boolean(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(booleanLiteral value: Bool) { self = .boolean(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) { self = .object(Dictionary(elements) { $1 }) }
}
