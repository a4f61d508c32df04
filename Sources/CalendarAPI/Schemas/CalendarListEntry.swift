// SPDX-License-Identifier: Apache-2.0

public import HexColor

/// A calendar on the signed-in user's list, with what the user has set for it
/// ([CalendarList](https://developers.google.com/workspace/calendar/api/v3/reference/calendarList)).
public struct CalendarListEntry: CalendarSchema {
  /// What the user may do with the calendar.
  ///
  /// Set by Google.
  public var accessRole: AccessRole?
  /// Whether a resource calendar accepts invitations by itself.
  ///
  /// Set by Google.
  public var autoAcceptInvitations: Bool?
  /// The main colour.
  ///
  /// It supersedes ``colorId``; to write it, ask for `colorRgbFormat`.
  public var backgroundColor: RGBColor?
  /// The id of a colour in ``Colors/calendar``.
  ///
  /// See ``Colors/appearance(of:default:)``.
  public var colorId: String?
  /// Which conferences its events can have.
  public var conferenceProperties: ConferenceProperties?
  /// The e-mail address of whoever owns the data.
  ///
  /// Secondary calendars only. Set by Google.
  public var dataOwner: String?
  /// The reminders that the user gets for its events unless an event says otherwise.
  public var defaultReminders: [EventReminder]?
  /// Whether the entry was removed from the list since the last synchronization.
  ///
  /// Set by Google.
  public var deleted: Bool?
  /// What the calendar is about.
  ///
  /// Set by Google.
  public var description: String?
  /// The version of the entry.
  public var etag: String?
  /// The colour to write with on ``backgroundColor``.
  ///
  /// To write it, ask for `colorRgbFormat`.
  public var foregroundColor: RGBColor?
  /// Whether the user has hidden the calendar from the list.
  public var hidden: Bool?
  /// The id of the calendar, as the other methods take it.
  public var id: String?
  /// `calendar#calendarListEntry`.
  public var kind: String?
  /// Where the calendar belongs, in words.
  ///
  /// Set by Google.
  public var location: String?
  /// Which messages the user gets about the calendar.
  public var notificationSettings: NotificationSettings?
  /// Whether this is the user's own main calendar.
  ///
  /// Set by Google.
  public var primary: Bool?
  /// Whether the events show in the calendar views.
  public var selected: Bool?
  /// The title that its owner gave.
  ///
  /// Set by Google. See ``title``.
  public var summary: String?
  /// The title that the user gave.
  public var summaryOverride: String?
  /// The time zone as the IANA names it, such as `Europe/Madrid`.
  ///
  /// Set by Google.
  public var timeZone: String?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("accessRole", &accessRole)
    field("autoAcceptInvitations", &autoAcceptInvitations)
    field("backgroundColor", &backgroundColor)
    field("colorId", &colorId)
    field("conferenceProperties", &conferenceProperties)
    field("dataOwner", &dataOwner)
    field("defaultReminders", &defaultReminders)
    field("deleted", &deleted)
    field("description", &description)
    field("etag", &etag)
    field("foregroundColor", &foregroundColor)
    field("hidden", &hidden)
    field("id", &id)
    field("kind", &kind)
    field("location", &location)
    field("notificationSettings", &notificationSettings)
    field("primary", &primary)
    field("selected", &selected)
    field("summary", &summary)
    field("summaryOverride", &summaryOverride)
    field("timeZone", &timeZone)
  }
}

extension CalendarListEntry {
  /// The title to show: the user's own, else the owner's, else the id.
  public var title: String { summaryOverride ?? summary ?? id ?? "" }

  /// Which messages the user gets about a calendar.
  public struct NotificationSettings: CalendarSchema {
    /// The messages.
    public var notifications: [CalendarNotification]?
    /// The fields that this version of the module does not know.
    public var additionalFields: [String: JSONValue] = [:]

    /// Creates a value without fields.
    public init() {}

    /// Visits every field, to read or to write it.
    public mutating func visitFields(_ field: inout FieldVisitor) {
      field("notifications", &notifications)
    }
  }
}
