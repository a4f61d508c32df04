// SPDX-License-Identifier: Apache-2.0

/// How far the creation of a conference has come.
public struct ConferenceRequestStatus: CalendarSchema {
  /// How far it is.
  ///
  /// Set by Google.
  public var statusCode: Code?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("statusCode", &statusCode)
  }
}

extension ConferenceRequestStatus {
  /// How far the creation of a conference has come.
  public struct Code: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Google is still at it: read the event again later.
    public static let pending: Code = "pending"
    /// The conference is there.
    public static let success: Code = "success"
    /// There is no conference.
    public static let failure: Code = "failure"
  }
}
