/// What happens while the user is away.
public struct EventOutOfOfficeProperties: CalendarSchema {
  /// Which invitations are declined.
  public var autoDeclineMode: AutoDeclineMode?
  /// What those who are declined are told.
  public var declineMessage: String?
  public var additionalFields: [String: JSONValue] = [:]

  public init() {}

  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("autoDeclineMode", &autoDeclineMode)
    field("declineMessage", &declineMessage)
  }
}
