// SPDX-License-Identifier: Apache-2.0

/// Where the user works.
///
/// ``type`` says which of the others counts.
public struct EventWorkingLocationProperties: CalendarSchema {
  /// A place that is neither home nor office.
  public var customLocation: CustomLocation?
  /// Present, whatever its value, when the user works at home.
  public var homeOffice: JSONValue?
  /// A place in an office.
  public var officeLocation: OfficeLocation?
  /// The kind of place.
  ///
  /// A request must say.
  public var type: Kind?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("customLocation", &customLocation)
    field("homeOffice", &homeOffice)
    field("officeLocation", &officeLocation)
    field("type", &type)
  }
}

extension EventWorkingLocationProperties {
  /// A kind of place.
  public struct Kind: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// At home.
    public static let homeOffice: Kind = "homeOffice"
    /// In an office.
    public static let officeLocation: Kind = "officeLocation"
    /// Somewhere else.
    public static let customLocation: Kind = "customLocation"
  }

  /// A place that is neither home nor office.
  public struct CustomLocation: CalendarSchema {
    /// What the place is called.
    public var label: String?
    /// The fields that this version of the module does not know.
    public var additionalFields: [String: JSONValue] = [:]

    /// Creates a value without fields.
    public init() {}

    /// Visits every field, to read or to write it.
    public mutating func visitFields(_ field: inout FieldVisitor) {
      field("label", &label)
    }
  }

  /// A place in an office.
  public struct OfficeLocation: CalendarSchema {
    /// The id of the building, from the organization's resources.
    public var buildingId: String?
    /// The id of the desk.
    public var deskId: String?
    /// The id of the floor.
    public var floorId: String?
    /// The id of the section of the floor.
    public var floorSectionId: String?
    /// What the place is called.
    public var label: String?
    /// The fields that this version of the module does not know.
    public var additionalFields: [String: JSONValue] = [:]

    /// Creates a value without fields.
    public init() {}

    /// Visits every field, to read or to write it.
    public mutating func visitFields(_ field: inout FieldVisitor) {
      field("buildingId", &buildingId)
      field("deskId", &deskId)
      field("floorId", &floorId)
      field("floorSectionId", &floorSectionId)
      field("label", &label)
    }
  }
}
