// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension JSONWriter {
  /// Writes a field of a schema if it is set.
  @inline(__always)
  mutating func field<Value: JSONConvertible>(_ name: StaticString, _ value: Value?) {
    guard !isNaming else {
      fields.append(Field(name: name.description, isSet: value != nil))
      return
    }
    guard let value else { return }
    key(name)
    value.write(to: &self)
  }
}
