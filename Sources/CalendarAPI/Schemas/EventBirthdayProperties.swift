// SPDX-License-Identifier: Apache-2.0

/// What a birthday, or another day of a user, is about.
public struct EventBirthdayProperties: CalendarSchema {
  /// The resource name of the contact, as the People API has it.
  ///
  /// Set by Google.
  public var contact: String?
  /// The name of a kind of day that the user made up.
  ///
  /// Set by Google.
  public var customTypeName: String?
  /// The kind of day.
  public var type: Kind?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("contact", &contact)
    field("customTypeName", &customTypeName)
    field("type", &type)
  }
}

extension EventBirthdayProperties {
  /// A kind of day.
  public struct Kind: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An anniversary.
    public static let anniversary: Kind = "anniversary"
    /// A birthday.
    public static let birthday: Kind = "birthday"
    /// A kind that the user made up.
    public static let custom: Kind = "custom"
    /// Another kind.
    public static let other: Kind = "other"
    /// The user's own birthday.
    public static let isSelf: Kind = "self"
  }
}
