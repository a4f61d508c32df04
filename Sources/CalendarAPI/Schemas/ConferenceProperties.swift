// SPDX-License-Identifier: Apache-2.0

/// Which conferences the events of a calendar can have.
public struct ConferenceProperties: CalendarSchema {
  /// The kinds of conference that can be created.
  public var allowedConferenceSolutionTypes: [ConferenceSolutionKey.Kind]?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("allowedConferenceSolutionTypes", &allowedConferenceSolutionTypes)
  }
}
