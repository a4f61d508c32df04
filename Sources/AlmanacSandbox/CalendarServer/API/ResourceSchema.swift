// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The fields of a schema and their types, by which bodies and `fields` are checked.
///
/// Fields that are not in the schema are kept as they are.
struct ResourceSchema: Sendable {
  indirect enum Kind: Sendable {
    case text
    case boolean
    case integer
    /// A whole number as a string, or as a number.
    case int64
    case any
    case date
    /// A time with an offset from UTC.
    case time
    /// A time with or without an offset from UTC.
    case localTime
    case choice([String])
    case object(String)
    case array(Kind)
    case map(Kind)
  }

  let properties: [String: Kind]
  let readOnly: Set<String>
  /// The values that fields have where they are left out.
  private let defaults: [String: JSONValue]

  init(_ properties: [String: Kind], readOnly: Set<String> = [], defaults: [String: JSONValue] = [:]) {
    self.properties = properties
    self.readOnly = readOnly
    self.defaults = defaults
  }

  /// Returns a resource as Google sends it: without fields that have their default value, and without empty texts, arrays and maps.
  func withoutDefaults(_ fields: [String: JSONValue]) -> [String: JSONValue] {
    var result: [String: JSONValue] = [:]
    result.reserveCapacity(fields.count)
    for (name, value) in fields where value != defaults[name] {
      result[name] = properties[name].map { $0.withoutDefaults(value) } ?? value
    }
    return result
  }

  /// Returns a body without the fields that cannot be written; `null` may stand for any value.
  func writable(_ fields: [String: JSONValue]) throws(APIFault) -> [String: JSONValue] {
    var result: [String: JSONValue] = [:]
    result.reserveCapacity(fields.count)
    for (name, value) in fields where !readOnly.contains(name) {
      result[name] = try properties[name].map { (kind) throws(APIFault) in try kind.writable(value, name) } ?? value
    }
    return result
  }
}

extension ResourceSchema.Kind {
  fileprivate func writable(_ value: JSONValue, _ name: String) throws(APIFault) -> JSONValue {
    switch (self, value) {
    case (_, .null), (.any, _), (.boolean, .bool): return value
    case (.text, .string), (.date, .string), (.time, .string), (.localTime, .string): return value
    case (.integer, .number(let number)) where number.integer != nil: return value
    case (.int64, .number(let number)) where number.integer != nil: return .string(number.text)
    case (.int64, .string(let text)) where Int64(text) != nil: return value
    case (.choice(let choices), .string(let text)):
      guard choices.contains(text) else { throw .invalid("Invalid value for: \(name)") }
      return value
    case (.object(let schema), .object(let fields)):
      return .object(try ResourceSchema.all[schema]?.writable(fields) ?? fields)
    case (.array(let kind), .array(let elements)):
      var result: [JSONValue] = []
      for element in elements {
        guard element != .null else { throw .parseError }
        result.append(try kind.writable(element, name))
      }
      return .array(result)
    case (.map(let kind), .object(let values)):
      var result: [String: JSONValue] = [:]
      for (key, value) in values { result[key] = try kind.writable(value, key) }
      return .object(result)
    default: throw .parseError
    }
  }

  /// The value without what is left out of it; `nil` if that is the whole.
  fileprivate func withoutDefaults(_ value: JSONValue) -> JSONValue? {
    switch (self, value) {
    case (.text, .string("")), (.array, .array([])), (.map, .object([:])): return nil
    case (.object(let schema), .object(let fields)):
      guard let schema = ResourceSchema.all[schema] else { return value }
      let left = schema.withoutDefaults(fields)
      return left.isEmpty && !fields.isEmpty ? nil : .object(left)
    case (.array(let kind), .array(let elements)): return .array(elements.map { kind.withoutDefaults($0) ?? $0 })
    default: return value
    }
  }

  /// The schema of the fields below; `nil` for none.
  var schema: ResourceSchema? {
    switch self {
    case .object(let name): ResourceSchema.all[name]
    case .array(let kind): kind.schema
    default: nil
    }
  }

  /// Whether fields of any name may be below.
  var isOpen: Bool {
    switch self {
    case .map, .any: true
    default: false
    }
  }
}
