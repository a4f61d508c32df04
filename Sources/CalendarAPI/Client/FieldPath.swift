// SPDX-License-Identifier: Apache-2.0

/// A path from a response to a field of it, which ``FieldMask`` is made of.
@dynamicMemberLookup
public struct FieldPath<Value> {
  /// The names that lead to the field, as the API has them: `items/start/dateTime`.
  let path: String

  init() { path = "" }

  private init<Parent: CalendarSchema>(_ parent: FieldPath<Parent>, _ keyPath: PartialKeyPath<Parent>) {
    // Every schema is generated. A property that is not a field of the API stands for all fields.
    let name = (Parent.self as? any SchemaCoding.Type)?.fieldName(of: keyPath) ?? "*"
    path = parent.path.isEmpty ? name : "\(parent.path)/\(name)"
  }
}

extension FieldPath where Value: CalendarSchema {
  /// The path to a field.
  public subscript<Field>(dynamicMember field: KeyPath<Value, Field?>) -> FieldPath<Field> { .init(self, field) }

  /// The path to the elements of an array.
  public subscript<Element>(dynamicMember field: KeyPath<Value, [Element]?>) -> FieldPath<Element> {
    .init(self, field)
  }

  /// The path to the elements of a page.
  public subscript<Element>(dynamicMember field: KeyPath<Value, [Element]>) -> FieldPath<Element> {
    .init(self, field)
  }

  /// The path to the values of a dictionary.
  public subscript<Element>(dynamicMember field: KeyPath<Value, [String: Element]?>) -> FieldPath<Element> {
    .init(self, field)
  }
}

extension SchemaCoding {
  /// The API's name of the field that a key path leads to.
  static func fieldName(of keyPath: AnyKeyPath) -> String? {
    (keyPath as? PartialKeyPath<Self>).flatMap { fieldNamesByKeyPath[$0] }
  }
}
