// SPDX-License-Identifier: Apache-2.0

/// One kind of message that Google sends about a calendar.
public struct CalendarNotification: CalendarSchema {
  /// How it is delivered.
  public var method: Method?
  /// What it is about.
  public var type: Kind?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("method", &method)
    field("type", &type)
  }
}

extension CalendarNotification {
  /// How a message is delivered.
  public struct Method: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// By e-mail.
    public static let email: Method = "email"
  }

  /// What a message is about.
  public struct Kind: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A new event is put on the calendar.
    public static let eventCreation: Kind = "eventCreation"
    /// An event is changed.
    public static let eventChange: Kind = "eventChange"
    /// An event is cancelled.
    public static let eventCancellation: Kind = "eventCancellation"
    /// An attendee answers an invitation.
    public static let eventResponse: Kind = "eventResponse"
    /// The day's events, sent each morning.
    public static let agenda: Kind = "agenda"
  }
}
