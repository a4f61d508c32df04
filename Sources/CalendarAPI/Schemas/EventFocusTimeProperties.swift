/// What happens in the time that the user wants for concentrated work.
public struct EventFocusTimeProperties: CalendarSchema {
  /// Which invitations are declined.
  public var autoDeclineMode: AutoDeclineMode?
  /// What Google Chat shows.
  public var chatStatus: ChatStatus?
  /// What those who are declined are told.
  public var declineMessage: String?
  public var additionalFields: [String: JSONValue] = [:]

  public init() {}

  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("autoDeclineMode", &autoDeclineMode)
    field("chatStatus", &chatStatus)
    field("declineMessage", &declineMessage)
  }
}

extension EventFocusTimeProperties {
  /// What Google Chat shows.
  public struct ChatStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Available.
    public static let available: ChatStatus = "available"
    /// Do not disturb.
    public static let doNotDisturb: ChatStatus = "doNotDisturb"
  }
}
