// SPDX-License-Identifier: Apache-2.0

public import HexColor

/// A label that the events of a calendar can carry.
public struct EventLabel: CalendarSchema {
  /// The colour of the events that carry it.
  public var backgroundColor: RGBColor?
  /// The id, which ``Event/eventLabelId`` names.
  public var id: String?
  /// The name, at most 50 characters.
  public var name: String?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("backgroundColor", &backgroundColor)
    field("id", &id)
    field("name", &name)
  }
}
