// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension JSONValue {
  /// The text of a string, or of what a parameter has as text.
  var parameterText: String { string ?? String(decoding: json(), as: UTF8.self) }

  /// The members of an object; `nil` for anything else, and for an object that names a member twice.
  static func members(of json: [UInt8]) -> [String: JSONValue]? {
    (try? JSONValue(json: json, requiringUniqueNames: true))?.object
  }
}
