/// What an add-on keeps with an event.
public struct ConferenceParametersAddOnParameters: CalendarSchema {
  /// Names and values.
  public var parameters: [String: String]?
  public var additionalFields: [String: JSONValue] = [:]

  public init() {}

  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("parameters", &parameters)
  }
}
