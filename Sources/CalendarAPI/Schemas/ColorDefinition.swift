public import HexColor

/// A pair of colours that go together.
public struct ColorDefinition: CalendarSchema {
  /// The colour behind.
  public var background: RGBColor?
  /// The colour to write with on it.
  public var foreground: RGBColor?
  public var additionalFields: [String: JSONValue] = [:]

  public init() {}

  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("background", &background)
    field("foreground", &foreground)
  }
}
