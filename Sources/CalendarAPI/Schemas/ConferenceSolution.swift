// SPDX-License-Identifier: Apache-2.0

/// A conference service.
public struct ConferenceSolution: CalendarSchema {
  /// The URL of its icon.
  public var iconUri: String?
  /// Which service it is.
  public var key: ConferenceSolutionKey?
  /// Its name, for users.
  ///
  /// Not translated.
  public var name: String?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("iconUri", &iconUri)
    field("key", &key)
    field("name", &name)
  }
}
