// SPDX-License-Identifier: Apache-2.0

/// Any JSON value ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259.html)).
///
/// Its description contains only the kind of value: the content may be private.
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  ///
  /// It has no literal: `nil` always stands for an absent value.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, exactly as it was written.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  ///
  /// The order of its fields is not kept. They are written sorted by name.
  case object([String: JSONValue])
}

extension JSONValue {
  /// The string, or `nil` for any other kind.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The Boolean, or `nil` for any other kind.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number, or `nil` for any other kind.
  public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
  /// The elements, or `nil` for any other kind.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  /// The fields, or `nil` for any other kind.
  public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

  /// The field called `name`, or `nil` if it is missing or the value is not an object.
  public subscript(name: String) -> JSONValue? { object?[name] }
}

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object.
  ///
  /// If a name is repeated, the last value wins.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

extension JSONValue: CustomStringConvertible, CustomReflectable {
  /// The kind of value, never its content.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .number: "number"
    case .string: "string"
    case .array(let elements): "array of \(elements.count)"
    case .object(let fields): "object of \(fields.count)"
    }
  }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}
