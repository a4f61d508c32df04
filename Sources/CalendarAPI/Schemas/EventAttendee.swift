// SPDX-License-Identifier: Apache-2.0

/// Somebody, or a room, that is invited to an event.
public struct EventAttendee: CalendarSchema {
  /// How many others come along.
  public var additionalGuests: Int?
  /// What Google is still doing with the attendee.
  ///
  /// Set by Google.
  public var asyncOperation: AsyncOperation?
  /// What the attendee has to say.
  public var comment: String?
  /// The name.
  public var displayName: String?
  /// The e-mail address.
  ///
  /// A request must say.
  public var email: String?
  /// The id of the profile.
  public var id: String?
  /// Whether the attendee may stay away.
  public var optional: Bool?
  /// Whether the attendee organizes the event.
  ///
  /// Set by Google.
  public var organizer: Bool?
  /// Whether this is a room or a thing.
  ///
  /// Only the first request can say.
  public var resource: Bool?
  /// The response to the invitation.
  public var responseStatus: ResponseStatus?
  /// Whether this is the calendar that the event was read from.
  ///
  /// Set by Google.
  public var isSelf: Bool?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("additionalGuests", &additionalGuests)
    field("asyncOperation", &asyncOperation)
    field("comment", &comment)
    field("displayName", &displayName)
    field("email", &email)
    field("id", &id)
    field("optional", &optional)
    field("organizer", &organizer)
    field("resource", &resource)
    field("responseStatus", &responseStatus)
    field("self", &isSelf)
  }
}

extension EventAttendee {
  /// Creates an attendee.
  public init(email: String) { self.email = email }

  /// What Google is still doing with an attendee.
  public struct AsyncOperation: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The attendee is being added or changed.
    public static let inProgress: AsyncOperation = "inProgress"
  }

  /// The response to an invitation.
  public struct ResponseStatus: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// None yet.
    public static let needsAction: ResponseStatus = "needsAction"
    /// No.
    public static let declined: ResponseStatus = "declined"
    /// Perhaps.
    public static let tentative: ResponseStatus = "tentative"
    /// Yes.
    public static let accepted: ResponseStatus = "accepted"
  }
}
