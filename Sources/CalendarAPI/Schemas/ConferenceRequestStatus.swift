/// How far the creation of a conference has come.
public struct ConferenceRequestStatus: CalendarSchema {
  /// How far it is. Set by Google.
  public var statusCode: Code?
  public var additionalFields: [String: JSONValue] = [:]

  public init() {}

  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("statusCode", &statusCode)
  }
}

extension ConferenceRequestStatus {
  /// How far the creation of a conference has come.
  public struct Code: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Google is still at it: read the event again later.
    public static let pending: Code = "pending"
    /// The conference is there.
    public static let success: Code = "success"
    /// There is no conference.
    public static let failure: Code = "failure"
  }
}
