// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A parameter of a request as the member of a JSON object
/// ([RFC 9101 § 4](https://www.rfc-editor.org/rfc/rfc9101.html#section-4)).
struct JSONParameter: Encodable {
  let name: String
  let text: String

  private static let numbers: Set = ["max_age"]
  private static let structured: Set = ["authorization_details", "claims"]

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if Self.numbers.contains(name), let number = Int64(text) {
      try container.encode(number)
    } else if Self.structured.contains(name), let value = try? JSONValue(json: Array(text.utf8)) {
      try container.encode(value)
    } else {
      try container.encode(text)
    }
  }
}
