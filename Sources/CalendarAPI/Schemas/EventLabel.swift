public import HexColor

/// A label that the events of a calendar can carry.
public struct EventLabel: CalendarSchema {
  /// The colour of the events that carry it.
  public var backgroundColor: RGBColor?
  /// The id, which ``Event/eventLabelId`` names.
  public var id: String?
  /// The name, at most 50 characters.
  public var name: String?
  public var additionalFields: [String: JSONValue] = [:]

  public init() {}

  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("backgroundColor", &backgroundColor)
    field("id", &id)
    field("name", &name)
  }
}
