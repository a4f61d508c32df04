// SPDX-License-Identifier: Apache-2.0

public import HexColor

/// A pair of colours that go together.
public struct ColorDefinition: CalendarSchema {
  /// The colour behind.
  public var background: RGBColor?
  /// The colour to write with on it.
  public var foreground: RGBColor?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("background", &background)
    field("foreground", &foreground)
  }
}
