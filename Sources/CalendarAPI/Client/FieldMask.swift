// SPDX-License-Identifier: Apache-2.0

/// The fields of a response that a client asks for
/// ([partial responses](https://developers.google.com/workspace/calendar/api/guides/performance#partial-response)).
///
/// It is made of key paths, so that the compiler checks every name. ``Event/period``, ``EventDateTime/time`` and
/// ``Channel/expirationTime`` stand for the fields that they are computed from; a computed property of the caller's own stands
/// for all fields of its object. The elements of arrays and the values of dictionaries are passed through:
///
/// ```swift
/// var request = EventsResource.list(calendarId: "primary")
/// request.fields = FieldMask(\.items.id, \.items.start.dateTime, \.items.attendees.email)
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
