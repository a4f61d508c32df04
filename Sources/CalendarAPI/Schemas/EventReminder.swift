// SPDX-License-Identifier: Apache-2.0

/// A reminder that Google gives before an event starts.
public struct EventReminder: CalendarSchema {
  /// How the reminder is given.
  ///
  /// A request must say.
  public var method: Method?
  /// Minutes before the start, 0 to 40,320 (four weeks).
  ///
  /// A request must say.
  public var minutes: Int?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("method", &method)
    field("minutes", &minutes)
  }
}

extension EventReminder {
  /// Creates a reminder.
  ///
  /// - Parameter minutes: Minutes before the start, 0 to 40,320 (four weeks).
  public init(_ method: Method, minutes: Int) {
    self.method = method
    self.minutes = minutes
  }

  /// How a reminder is given.
  public struct Method: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// By e-mail.
    public static let email: Method = "email"
    /// By a message on the screen.
    public static let popup: Method = "popup"
  }
}
