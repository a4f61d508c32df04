// SPDX-License-Identifier: Apache-2.0

/// What a conference service keeps with an event.
public struct ConferenceParameters: CalendarSchema {
  /// What an add-on keeps.
  public var addOnParameters: ConferenceParametersAddOnParameters?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("addOnParameters", &addOnParameters)
  }
}
