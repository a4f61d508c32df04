// SPDX-License-Identifier: Apache-2.0

/// What an application asks the user to allow ([scopes](https://developers.google.com/workspace/calendar/api/auth)).
///
/// Ask for the least that does.
public struct CalendarScope: OpenEnumeration {
  /// The scope as an authorization request has it: a URL.
  public let rawValue: String

  /// Creates a scope from its address.
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(name: String) { rawValue = "https://www.googleapis.com/auth/" + name }

  /// See, change, share and delete all calendars and their events.
  public static let full = CalendarScope(name: "calendar")
  /// See all calendars and their events.
  public static let readOnly = CalendarScope(name: "calendar.readonly")
  /// See and change who may use the calendars that the user owns.
  public static let acls = CalendarScope(name: "calendar.acls")
  /// See who may use the calendars that the user owns.
  public static let aclsReadOnly = CalendarScope(name: "calendar.acls.readonly")
  /// Create calendars, and see and change those and their events.
  public static let appCreated = CalendarScope(name: "calendar.app.created")
  /// See, add and remove the calendars on the user's list.
  public static let calendarList = CalendarScope(name: "calendar.calendarlist")
  /// See the calendars on the user's list.
  public static let calendarListReadOnly = CalendarScope(name: "calendar.calendarlist.readonly")
  /// See and change the properties of calendars, and create calendars.
  public static let calendars = CalendarScope(name: "calendar.calendars")
  /// See the properties of calendars: title, description, time zone.
  public static let calendarsReadOnly = CalendarScope(name: "calendar.calendars.readonly")
  /// See and change the events of all calendars.
  public static let events = CalendarScope(name: "calendar.events")
  /// See when the calendars that the user can see are busy.
  public static let eventsFreeBusy = CalendarScope(name: "calendar.events.freebusy")
  /// See and change the events of the calendars that the user owns.
  public static let eventsOwned = CalendarScope(name: "calendar.events.owned")
  /// See the events of the calendars that the user owns.
  public static let eventsOwnedReadOnly = CalendarScope(name: "calendar.events.owned.readonly")
  /// See the events of public calendars.
  public static let eventsPublicReadOnly = CalendarScope(name: "calendar.events.public.readonly")
  /// See the events of all calendars.
  public static let eventsReadOnly = CalendarScope(name: "calendar.events.readonly")
  /// See when the user is busy.
  public static let freeBusy = CalendarScope(name: "calendar.freebusy")
  /// See and change the user's settings.
  public static let settings = CalendarScope(name: "calendar.settings")
  /// See the user's settings.
  public static let settingsReadOnly = CalendarScope(name: "calendar.settings.readonly")
}
