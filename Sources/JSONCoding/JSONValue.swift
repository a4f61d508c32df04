// SPDX-License-Identifier: Apache-2.0

/// Any JSON value ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259.html)).
///
/// Its description shows the kind alone: the content may be private.
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  ///
  /// There is no literal for it: `nil` always means that there is no value.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, exactly as it was written.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object. Its order is not kept; when written, its names are sorted.
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

  /// The field called `name`, or `nil` when there is none or this is not an object.
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
  /// Creates an object; of a repeated name the last counts.
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

  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}
