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

  /// The JSON merge patch ([RFC 7396](https://www.rfc-editor.org/rfc/rfc7396.html)) that makes this value of `old`.
  ///
  /// - Parameter names: The members that are left out.
  func mergePatch(from old: JSONValue, leaving names: Set<String> = []) -> JSONValue {
    guard let fields = object, let oldFields = old.object else { return self }
    var changes: [String: JSONValue] = [:]
    for (name, value) in fields where !names.contains(name) {
      if let oldValue = oldFields[name] {
        if oldValue != value { changes[name] = value.mergePatch(from: oldValue) }
      } else {
        changes[name] = value
      }
    }
    for name in oldFields.keys where fields[name] == nil && !names.contains(name) { changes[name] = .null }
    return .object(changes)
  }
}

extension JSONConvertible {
  /// Reads a value of JSON; `nil` if it does not fit.
  init?(_ value: JSONValue) {
    let read = try? JSONReader.reading(value.json()) { (reader) throws(JSONParseError) in try Self(from: &reader) }
    guard let read else { return nil }
    self = read
  }
}
