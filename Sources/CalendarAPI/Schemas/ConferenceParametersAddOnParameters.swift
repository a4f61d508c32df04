// SPDX-License-Identifier: Apache-2.0

/// What an add-on keeps with an event.
public struct ConferenceParametersAddOnParameters: CalendarSchema {
  /// Names and values.
  public var parameters: [String: String]?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("parameters", &parameters)
  }
}
