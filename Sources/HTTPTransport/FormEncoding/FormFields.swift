// SPDX-License-Identifier: Apache-2.0

/// The names and values of a form or a query, in order.
///
/// A name may occur more than once. Names and values may be empty.
///
/// ```swift
/// var form: FormFields = ["grant_type": "authorization_code", "code": code]
/// form["scope"] = scope                                   // nothing is added for nil
/// request.body = FormEncoding.form.encodedBytes(form)
/// ```
public struct FormFields: Sendable, Hashable {
  /// One name with its value.
  public struct Field: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private(set) var fields: [Field] = []

  /// Creates an empty list of fields.
  public init() {}

  /// The first value for `name`.
  ///
  /// Setting a value replaces every field with this name. Setting `nil` removes them.
  ///
  /// - Complexity: O(*n*), where *n* is the number of fields.
  public subscript(name: String) -> String? {
    get { fields.firstValue(for: name) }
    set { fields.set(name, to: newValue) }
  }

  /// Returns every value for `name`, in order.
  public func values(for name: String) -> [String] { fields.values(for: name) }

  /// Appends a field, and keeps others with the same name.
  public mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

  /// Appends the fields of another list.
  public mutating func append(contentsOf other: FormFields) { fields += other.fields }
}

extension FormFields {
  /// Creates fields from pairs of a name and a value, in their order.
  ///
  /// A repeated name adds a repeated field.
  public init(_ pairs: some Sequence<(String, String)>) {
    fields.reserveCapacity(pairs.underestimatedCount)
    for (name, value) in pairs { append(name, value) }
  }

  /// Creates fields from names and values, sorted by name.
  public init(_ dictionary: [String: String]) {
    self.init(dictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}

extension FormFields: ExpressibleByDictionaryLiteral {
  /// Creates fields from names and values.
  ///
  /// A repeated name adds a repeated field.
  public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
}

extension FormFields: RandomAccessCollection {
  /// The position of the first field.
  public var startIndex: Int { fields.startIndex }
  /// The position after the last field.
  public var endIndex: Int { fields.endIndex }
  /// The field at a position.
  public subscript(position: Int) -> Field { fields[position] }
}

extension FormFields: CustomStringConvertible, CustomReflectable {
  /// The names alone: a value may be a secret.
  public var description: String { fields.map(\.name).description }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["names": fields.map(\.name)]) }
}

extension FormFields.Field: NamedField {
  static func isSame(_ left: String, _ right: String) -> Bool { left == right }
}

extension FormFields.Field: CustomStringConvertible, CustomReflectable {
  /// The name alone: the value may be a secret.
  public var description: String { name }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
