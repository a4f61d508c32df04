// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension JSONValue {
  /// Returns the fields of an object with a merge patch applied: objects merge, `null` clears, anything else replaces
  /// ([RFC 7396 § 2](https://www.rfc-editor.org/rfc/rfc7396.html#section-2)).
  func merging(_ patch: [String: JSONValue]) -> [String: JSONValue] {
    var fields = object ?? [:]
    for (name, value) in patch {
      switch value {
      case .null: fields[name] = nil
      case .object(let patch): fields[name] = .object((fields[name] ?? [:]).merging(patch))
      default: fields[name] = value
      }
    }
    return fields
  }
}
