// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation

/// A JSON encoder that sorts members by name.
enum JSONText {
  static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }
}

/// A coding key for an arbitrary member of a JSON object.
struct MemberName: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringLiteral value: String) { self.init(value) }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
