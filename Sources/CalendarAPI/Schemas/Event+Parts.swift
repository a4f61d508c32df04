// SPDX-License-Identifier: Apache-2.0

extension Event {
  /// The creator or organizer of an event.
  public struct Person: CalendarSchema {
    /// The name.
    public var displayName: String?
    /// The e-mail address.
    public var email: String?
    /// The id of the profile.
    public var id: String?
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
      field("displayName", &displayName)
      field("email", &email)
      field("id", &id)
      field("self", &isSelf)
    }
  }

  /// What applications keep with an event.
  ///
  /// Names have at most 44 characters, or are dropped; values at most 1,024, or are cut.
  public struct ExtendedProperties: CalendarSchema {
    /// Names and values for this copy of the event alone.
    public var `private`: [String: String]?
    /// Names and values that all attendees share.
    public var shared: [String: String]?
    /// The fields that this version of the module does not know.
    public var additionalFields: [String: JSONValue] = [:]

    /// Creates a value without fields.
    public init() {}

    /// Visits every field, to read or to write it.
    public mutating func visitFields(_ field: inout FieldVisitor) {
      field("private", &self.private)
      field("shared", &shared)
    }
  }

  /// A gadget.
  ///
  /// Deprecated.
  public struct Gadget: CalendarSchema {
    /// How it is shown.
    public var display: Display?
    /// Height in pixels.
    public var height: Int?
    /// The URL of its icon.
    public var iconLink: String?
    /// The URL of the gadget.
    public var link: String?
    /// Names and values of its settings.
    public var preferences: [String: String]?
    /// The title.
    public var title: String?
    /// The type.
    public var type: String?
    /// Width in pixels.
    public var width: Int?
    /// The fields that this version of the module does not know.
    public var additionalFields: [String: JSONValue] = [:]

    /// Creates a value without fields.
    public init() {}

    /// Visits every field, to read or to write it.
    public mutating func visitFields(_ field: inout FieldVisitor) {
      field("display", &display)
      field("height", &height)
      field("iconLink", &iconLink)
      field("link", &link)
      field("preferences", &preferences)
      field("title", &title)
      field("type", &type)
      field("width", &width)
    }
  }

  /// The user's reminders of an event.
  public struct Reminders: CalendarSchema {
    /// The reminders, at most five, when ``useDefault`` is false.
    public var overrides: [EventReminder]?
    /// Whether the calendar's reminders count.
    public var useDefault: Bool?
    /// The fields that this version of the module does not know.
    public var additionalFields: [String: JSONValue] = [:]

    /// Creates a value without fields.
    public init() {}

    /// Visits every field, to read or to write it.
    public mutating func visitFields(_ field: inout FieldVisitor) {
      field("overrides", &overrides)
      field("useDefault", &useDefault)
    }
  }

  /// Where an event comes from.
  public struct Source: CalendarSchema {
    /// The title of the page or message.
    public var title: String?
    /// Its address, http or https.
    public var url: String?
    /// The fields that this version of the module does not know.
    public var additionalFields: [String: JSONValue] = [:]

    /// Creates a value without fields.
    public init() {}

    /// Visits every field, to read or to write it.
    public mutating func visitFields(_ field: inout FieldVisitor) {
      field("title", &title)
      field("url", &url)
    }
  }
}

extension Event.Gadget {
  /// How a gadget is shown.
  public struct Display: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Beside the event's title.
    public static let icon: Display = "icon"
    /// When the event is clicked on.
    public static let chip: Display = "chip"
  }
}
