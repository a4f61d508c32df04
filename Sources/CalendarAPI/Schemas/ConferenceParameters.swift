/// What a conference service keeps with an event.
public struct ConferenceParameters: CalendarSchema {
  /// What an add-on keeps.
  public var addOnParameters: ConferenceParametersAddOnParameters?
  public var additionalFields: [String: JSONValue] = [:]

  public init() {}

  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("addOnParameters", &addOnParameters)
  }
}
