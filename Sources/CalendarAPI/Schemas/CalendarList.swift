// SPDX-License-Identifier: Apache-2.0

/// One page of the calendars on the signed-in user's list
/// ([CalendarList: list](https://developers.google.com/workspace/calendar/api/v3/reference/calendarList/list)).
public struct CalendarList: CalendarSchema {
  /// The version of the list.
  public var etag: String?
  /// What is on this page.
  ///
  /// It may be empty although there is a next page.
  public var items: [CalendarListEntry] = []
  /// `calendar#calendarList`.
  public var kind: String?
  /// What asks for the next page; `nil` on the last.
  public var nextPageToken: String?
  /// What asks for the changes since; on the last page only.
  ///
  /// It holds personal data.
  public var nextSyncToken: String?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("etag", &etag)
    field.strict("items", &items)
    field("kind", &kind)
    field.strict("nextPageToken", &nextPageToken)
    field.strict("nextSyncToken", &nextSyncToken)
  }
}
