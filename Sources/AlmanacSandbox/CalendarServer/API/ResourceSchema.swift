// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The fields of a schema and their types, for checking bodies and `fields`.
///
/// Unknown fields are kept unchanged.
struct ResourceSchema: Sendable {
  indirect enum Kind: Sendable {
    case text
    case boolean
    case integer
    /// An integer, as a string or a number.
    case int64
    case any
    case date
    /// A time with a UTC offset.
    case time
    /// A time with or without a UTC offset.
    case localTime
    case choice([String])
    case object(String)
    case array(Kind)
    case map(Kind)
  }

  let properties: [String: Kind]
  let readOnly: Set<String>
  /// The default values of fields.
  private let defaults: [String: JSONValue]
  private let defaultTexts: [String]

  init(_ properties: [String: Kind], readOnly: Set<String> = [], defaults: [String: JSONValue] = [:]) {
    self.properties = properties
    self.readOnly = readOnly
    self.defaults = defaults
    defaultTexts = defaults.values.compactMap(\.string)
  }

  /// Removes the fields omitted by Google: those with default values, and empty strings, arrays and maps.
  func removeDefaults(from fields: inout [String: JSONValue]) {
    for (name, value) in changes(of: fields) { fields[name] = value }
  }

  /// Returns the fields that change without defaults, with their remaining values.
  fileprivate func changes(of fields: [String: JSONValue]) -> [(name: String, value: JSONValue?)] {
    var changes: [(name: String, value: JSONValue?)] = []
    for (name, value) in fields {
      // Most values are strings that are not the default of any field. They need no lookup by name.
      if case .string(let text) = value, !text.isEmpty, !defaultTexts.contains(text) { continue }
      if defaults[name] == value {
        changes.append((name, nil))
      } else if case .other(let rest)? = properties[name]?.withoutDefaults(value) {
        changes.append((name, rest))
      }
    }
    return changes
  }

  /// Returns a body without read-only fields, after checking the types of its values.
  ///
  /// `null` is valid for any type.
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
    // The integers of the API's table have the format int32.
    case (.integer, .number(let number)) where number.integer.flatMap(Int32.init(exactly:)) != nil: return value
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

  /// The rest of a value without defaults.
  fileprivate enum Rest {
    case same
    /// Another value, or nothing.
    case other(JSONValue?)
  }

  /// Returns the rest of a value without defaults.
  fileprivate func withoutDefaults(_ value: JSONValue) -> Rest {
    switch (self, value) {
    case (.text, .string("")), (.array, .array([])), (.map, .object([:])): return .other(nil)
    case (.object(let schema), .object(var fields)):
      guard !fields.isEmpty, let changes = ResourceSchema.all[schema]?.changes(of: fields), !changes.isEmpty else {
        return .same
      }
      for (name, value) in changes { fields[name] = value }
      return .other(fields.isEmpty ? nil : .object(fields))
    case (.array(let kind), .array(var elements)):
      var isSame = true
      for index in elements.indices {
        guard case .other(let rest?) = kind.withoutDefaults(elements[index]) else { continue }
        elements[index] = rest
        isSame = false
      }
      return isSame ? .same : .other(.array(elements))
    default: return .same
    }
  }

  /// The schema of nested fields, or `nil`.
  var schema: ResourceSchema? {
    switch self {
    case .object(let name): ResourceSchema.all[name]
    case .array(let kind): kind.schema
    default: nil
    }
  }

  /// Whether nested fields can have any name.
  var isOpen: Bool {
    switch self {
    case .map, .any: true
    default: false
    }
  }
}
