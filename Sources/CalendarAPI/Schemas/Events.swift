// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// One page of the events of a calendar ([Events:
/// list](https://developers.google.com/workspace/calendar/api/v3/reference/events/list)).
public struct Events: CalendarSchema {
  /// What the user may do with the calendar.
  ///
  /// Set by Google.
  public var accessRole: AccessRole?
  /// The reminders that the user gets for events whose ``Event/Reminders/useDefault`` is set.
  public var defaultReminders: [EventReminder]?
  /// What the calendar is about.
  ///
  /// Set by Google.
  public var description: String?
  /// The version of the list.
  public var etag: String?
  /// What is on this page.
  ///
  /// It may be empty although there is a next page.
  public var items: [Event] = []
  /// `calendar#events`.
  public var kind: String?
  /// What asks for the next page; `nil` on the last.
  public var nextPageToken: String?
  /// What asks for the changes since; on the last page only.
  ///
  /// It holds personal data.
  public var nextSyncToken: String?
  /// The title of the calendar.
  ///
  /// Set by Google.
  public var summary: String?
  /// The time zone of the calendar, or the one that was asked for.
  ///
  /// Set by Google.
  public var timeZone: String?
  /// When the calendar was last changed.
  ///
  /// Set by Google.
  public var updated: Timestamp?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("accessRole", &accessRole)
    field("defaultReminders", &defaultReminders)
    field("description", &description)
    field("etag", &etag)
    field.strict("items", &items)
    field("kind", &kind)
    field.strict("nextPageToken", &nextPageToken)
    field.strict("nextSyncToken", &nextSyncToken)
    field("summary", &summary)
    field("timeZone", &timeZone)
    field("updated", &updated)
  }
}
