/// The named values of a form or a query: order is kept, a name may occur more than once, and both may be empty.
///
/// ```swift
/// var form: FormFields = ["grant_type": "authorization_code", "code": code]
/// form["scope"] = scope                                   // nothing is added for nil
/// request.body = FormEncoding.form.encode(form)
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

  /// The first value of the field called `name`; setting it replaces every field of that name, `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name == name }?.value }
    set {
      let position = fields.firstIndex { $0.name == name } ?? fields.endIndex
      fields.removeAll { $0.name == name }
      if let newValue { fields.insert(Field(name: name, value: newValue), at: position) }
    }
  }

  /// Returns every value of the field called `name`, in order.
  public func values(for name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  /// Adds a field after those already there, others of the same name included.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Adds the fields of another list after those already there.
  public mutating func append(contentsOf other: FormFields) {
    fields.append(contentsOf: other.fields)
  }
}

extension FormFields: ExpressibleByDictionaryLiteral {
  /// Creates fields from names and values; a repeated name gives a repeated field.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0, value: $1) }
  }
}

extension FormFields: RandomAccessCollection {
  public var startIndex: Int { fields.startIndex }
  public var endIndex: Int { fields.endIndex }
  public subscript(position: Int) -> Field { fields[position] }
}

extension FormFields: CustomStringConvertible, CustomReflectable {
  /// The names alone: a value may be a secret.
  public var description: String { fields.map(\.name).description }

  public var customMirror: Mirror { Mirror(self, children: ["names": fields.map(\.name)]) }
}

extension FormFields.Field: CustomStringConvertible, CustomReflectable {
  /// The name alone: the value may be a secret.
  public var description: String { name }

  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
