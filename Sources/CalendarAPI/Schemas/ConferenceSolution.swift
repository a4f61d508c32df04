/// A conference service.
public struct ConferenceSolution: CalendarSchema {
  /// The address of its icon.
  public var iconUri: String?
  /// Which service it is.
  public var key: ConferenceSolutionKey?
  /// Its name, for people. Not translated.
  public var name: String?
  public var additionalFields: [String: JSONValue] = [:]

  public init() {}

  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("iconUri", &iconUri)
    field("key", &key)
    field("name", &name)
  }
}
