// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension JSONValue {
  /// An object without the members that have no value.
  static func object(of members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues(\.self)) }

  /// A whole number.
  static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }
}
