// SPDX-License-Identifier: Apache-2.0

/// What happens in the time that the user wants for concentrated work.
public struct EventFocusTimeProperties: CalendarSchema {
  /// Which invitations are declined.
  public var autoDeclineMode: AutoDeclineMode?
  /// What Google Chat shows.
  public var chatStatus: ChatStatus?
  /// What those who are declined are told.
  public var declineMessage: String?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("autoDeclineMode", &autoDeclineMode)
    field("chatStatus", &chatStatus)
    field("declineMessage", &declineMessage)
  }
}

extension EventFocusTimeProperties {
  /// What Google Chat shows.
  public struct ChatStatus: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Available.
    public static let available: ChatStatus = "available"
    /// Do not disturb.
    public static let doNotDisturb: ChatStatus = "doNotDisturb"
  }
}
