// SPDX-License-Identifier: Apache-2.0

/// The name of a member of a JSON object, whatever it is.
struct MemberName: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringLiteral value: String) { self.init(value) }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
