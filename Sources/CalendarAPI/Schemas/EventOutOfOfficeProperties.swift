// SPDX-License-Identifier: Apache-2.0

/// What happens while the user is away.
public struct EventOutOfOfficeProperties: CalendarSchema {
  /// Which invitations are declined.
  public var autoDeclineMode: AutoDeclineMode?
  /// What those who are declined are told.
  public var declineMessage: String?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("autoDeclineMode", &autoDeclineMode)
    field("declineMessage", &declineMessage)
  }
}
