// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// The colours that calendars and events can have, by their ids
/// ([Colors](https://developers.google.com/workspace/calendar/api/v3/reference/colors)).
public struct Colors: CalendarSchema {
  /// The colours of calendars; see ``CalendarListEntry/colorId``.
  public var calendar: [String: ColorDefinition]?
  /// The colours of events; see ``Event/colorId``.
  public var event: [String: ColorDefinition]?
  /// `calendar#colors`.
  public var kind: String?
  /// When the palette was last changed.
  public var updated: Timestamp?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("calendar", &calendar)
    field("event", &event)
    field("kind", &kind)
    field("updated", &updated)
  }
}
