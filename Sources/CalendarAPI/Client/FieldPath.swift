// SPDX-License-Identifier: Apache-2.0

/// A path from a response to a field of it, which ``FieldMask`` is made of.
@dynamicMemberLookup
public struct FieldPath<Value> {
  /// The names that lead to the field, or to several, as the API has them: `items/start/dateTime`, `items(start,end)`.
  let path: String

  init() { path = "" }

  private init<Parent: CalendarSchema>(_ parent: FieldPath<Parent>, _ keyPath: PartialKeyPath<Parent>) {
    // Every schema is generated. A property of the caller's own, in an extension, may need any of the fields.
    let names = (Parent.self as? any SchemaCoding.Type)?.fieldNames(of: keyPath) ?? ["*"]
    let name = names.joined(separator: ",")
    path = parent.path.isEmpty ? name : names.count == 1 ? "\(parent.path)/\(name)" : "\(parent.path)(\(name))"
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
  /// The API's names of the field that a key path leads to, or of those that a computed property needs.
  static func fieldNames(of keyPath: AnyKeyPath) -> [String]? {
    if let name = (keyPath as? PartialKeyPath<Self>).flatMap({ fieldNamesByKeyPath[$0] }) { return [name] }
    return switch keyPath {
    case \Event.period: ["start", "end"]
    case \EventDateTime.time: ["date", "dateTime", "timeZone"]
    case \Channel.expirationTime: ["expiration"]
    default: nil
    }
  }
}
