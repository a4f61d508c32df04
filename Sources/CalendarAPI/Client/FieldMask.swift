// SPDX-License-Identifier: Apache-2.0

/// The fields of a response to request
/// ([partial responses](https://developers.google.com/workspace/calendar/api/guides/performance#partial-response)).
///
/// Create a mask from key paths: the compiler then checks every name. A key path continues through the elements of
/// arrays and the values of dictionaries. ``Event/period``, ``EventDateTime/time`` and ``WatchChannel/expirationTime``
/// select the fields they are computed from. Any other computed property selects all fields of its object.
///
/// ```swift
/// var request = EventsResource.list(in: "primary")
/// request.fieldMask = FieldMask(\.items.id, \.items.start.dateTime, \.items.attendees.email)
/// ```
public struct FieldMask<Response: Sendable>: Sendable, Hashable {
  /// The paths in the API's notation, such as `items/start/dateTime`.
  private var paths: [String]

  /// Creates a mask from the API's notation, such as `items(id,start/dateTime),nextPageToken`, for fields unknown to
  /// this module.
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
  /// The mask in the API's notation.
  public var description: String { paths.joined(separator: ",") }
}

/// A path from a response to one of its fields, for creating a ``FieldMask``.
@dynamicMemberLookup
public struct FieldPath<Value> {
  /// The path to one or several fields in the API's notation, such as `items/start/dateTime` or `items(start,end)`.
  let path: String

  init() { path = "" }

  private init<Parent: CalendarSchema>(_ parent: FieldPath<Parent>, _ keyPath: PartialKeyPath<Parent>) {
    // Every schema is generated, so `nil` means a property in a caller's extension. It may need any of the fields.
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
  /// Returns the API's name of the field at a key path, or the names of a computed property's source fields.
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
