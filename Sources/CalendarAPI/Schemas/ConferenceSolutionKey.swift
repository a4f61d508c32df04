// SPDX-License-Identifier: Apache-2.0

/// Names a conference service.
public struct ConferenceSolutionKey: CalendarSchema {
  /// The kind of conference.
  public var type: Kind?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("type", &type)
  }
}

extension ConferenceSolutionKey {
  /// Creates the name of a conference service.
  public init(_ type: Kind) { self.type = type }

  /// A kind of conference.
  public struct Kind: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Classic Hangouts for consumers.
    ///
    /// Read only.
    public static let eventHangout: Kind = "eventHangout"
    /// Classic Hangouts for organizations.
    ///
    /// Read only.
    public static let eventNamedHangout: Kind = "eventNamedHangout"
    /// Google Meet.
    public static let hangoutsMeet: Kind = "hangoutsMeet"
    /// Another service.
    public static let addOn: Kind = "addOn"
  }
}
