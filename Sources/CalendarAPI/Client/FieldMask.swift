// SPDX-License-Identifier: Apache-2.0

/// The fields of a response that a client asks for
/// ([partial responses](https://developers.google.com/workspace/calendar/api/guides/performance#partial-response)).
///
/// It is made of key paths, so that the compiler checks every name. ``Event/period``, ``EventDateTime/time`` and
/// ``WatchChannel/expirationTime`` stand for the fields that they are computed from; a computed property of the caller's own stands
/// for all fields of its object. The elements of arrays and the values of dictionaries are passed through:
///
/// ```swift
/// var request = EventsResource.list(in: "primary")
/// request.fieldMask = FieldMask(\.items.id, \.items.start.dateTime, \.items.attendees.email)
/// ```
public struct FieldMask<Response: Sendable>: Sendable, Hashable {
  /// The paths as the API has them, such as `items/start/dateTime`.
  private var paths: [String]

  /// Creates a mask from the API's own notation, such as `items(id,start/dateTime),nextPageToken`, for fields that this
  /// version does not know.
  public init(rawValue: String) { paths = [rawValue] }

  mutating func insert(_ path: String) {
    if !paths.contains(path) { paths.append(path) }
  }
}

extension FieldMask where Response: CalendarSchema {
  /// Creates a mask of fields.
  public init<each Value>(_ fields: repeat KeyPath<FieldPath<Response>, FieldPath<each Value>>) {
    var paths: [String] = []
    for field in repeat each fields { paths.append(FieldPath<Response>()[keyPath: field].path) }
    self.paths = paths
  }
}

extension FieldMask: CustomStringConvertible {
  /// The API's own notation.
  public var description: String { paths.joined(separator: ",") }
}

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
    case \WatchChannel.expirationTime: ["expiration"]
    default: nil
    }
  }
}
