// SPDX-License-Identifier: Apache-2.0

import JSONCoding

extension JSONValue {
  /// The value that is written for `value`.
  init(_ value: some JSONConvertible) {
    var writer = JSONWriter()
    value.write(to: &writer)
    // What the writer writes can be read.
    self = (try? JSONValue(json: writer.bytes)) ?? .null
  }

  /// The fields of a schema.
  init(of value: some CalendarSchema) { self = (try? JSONValue(json: value.json())) ?? .object([:]) }
}

extension JSONConvertible {
  /// Reads a value of JSON; `nil` if it does not fit.
  init?(_ value: JSONValue) {
    let read = try? JSONReader.reading(value.json()) { (reader) throws(JSONParseError) in try Self(from: &reader) }
    guard let read else { return nil }
    self = read
  }
}
