/// Which conferences the events of a calendar can have.
public struct ConferenceProperties: CalendarSchema {
  /// The kinds of conference that can be created.
  public var allowedConferenceSolutionTypes: [ConferenceSolutionKey.Kind]?
  public var additionalFields: [String: JSONValue] = [:]

  public init() {}

  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("allowedConferenceSolutionTypes", &allowedConferenceSolutionTypes)
  }
}
