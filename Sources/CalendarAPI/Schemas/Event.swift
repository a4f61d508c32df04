// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// An event, a series of events, or one instance of a series
/// ([Events](https://developers.google.com/workspace/calendar/api/v3/reference/events)).
///
/// A deleted event has an id and a status and no more; a cancelled instance has ``recurringEventId`` and
/// ``originalStartTime`` too.
public struct Event: CalendarSchema {
  /// Whether anybody can join.
  ///
  /// Deprecated.
  public var anyoneCanAddSelf: Bool?
  /// The files, at most 25.
  ///
  /// To write them, ask for `supportsAttachments`.
  public var attachments: [EventAttachment]?
  /// Who is invited.
  public var attendees: [EventAttendee]?
  /// Whether more are invited than ``attendees`` has.
  public var attendeesOmitted: Bool?
  /// About a birthday.
  ///
  /// Only the first request can say.
  public var birthdayProperties: EventBirthdayProperties?
  /// The id of a colour in ``Colors/event``.
  ///
  /// See ``Colors/appearance(of:in:labels:default:)``.
  public var colorId: String?
  /// The conference.
  public var conferenceData: ConferenceData?
  /// When the event was created.
  ///
  /// Set by Google.
  public var created: Timestamp?
  /// Who created the event.
  ///
  /// Set by Google.
  public var creator: Person?
  /// What the event is about.
  ///
  /// It may hold HTML.
  public var description: String?
  /// When the event ends; exclusive.
  public var end: EventDateTime?
  /// Whether the end is not really known.
  public var endTimeUnspecified: Bool?
  /// The version of the event.
  public var etag: String?
  /// The id of a label of the calendar.
  public var eventLabelId: String?
  /// The kind of event.
  ///
  /// It cannot be changed.
  public var eventType: Kind?
  /// What applications keep with the event.
  public var extendedProperties: ExtendedProperties?
  /// About time for concentrated work.
  public var focusTimeProperties: EventFocusTimeProperties?
  /// A gadget.
  ///
  /// Deprecated.
  public var gadget: Gadget?
  /// Whether attendees can invite others.
  ///
  /// True unless told.
  public var guestsCanInviteOthers: Bool?
  /// Whether attendees can change the event.
  public var guestsCanModify: Bool?
  /// Whether attendees can see each other.
  ///
  /// True unless told.
  public var guestsCanSeeOtherGuests: Bool?
  /// The URL of the conference, when it is one of Google.
  ///
  /// Set by Google.
  public var hangoutLink: String?
  /// The URL of the event in Google Calendar.
  ///
  /// Set by Google.
  public var htmlLink: String?
  /// The id that the event has everywhere ([RFC 7986](https://www.rfc-editor.org/rfc/rfc7986.html)); the instances of a
  /// series share it.
  public var iCalUID: String?
  /// The id.
  ///
  /// A request may choose one: 5 to 1,024 of the characters `a` to `v` and `0` to `9`. Received ids do not keep to
  /// that.
  public var id: String?
  /// `calendar#event`.
  public var kind: String?
  /// Where, in words.
  public var location: String?
  /// Whether the main fields cannot be changed, because the event is a copy.
  ///
  /// Set by Google.
  public var locked: Bool?
  /// Who organizes the event.
  ///
  /// Only an import can say.
  public var organizer: Person?
  /// When an instance of a series would start if it had not been moved.
  ///
  /// Its name within the series.
  public var originalStartTime: EventDateTime?
  /// About an absence.
  public var outOfOfficeProperties: EventOutOfOfficeProperties?
  /// Whether changes are not shared with the copies on other calendars.
  public var privateCopy: Bool?
  /// `RRULE`, `EXRULE`, `RDATE` and `EXDATE` lines ([RFC 5545](https://www.rfc-editor.org/rfc/rfc5545.html)).
  ///
  /// Not for an instance.
  public var recurrence: [String]?
  /// The id of the series that an instance belongs to.
  public var recurringEventId: String?
  /// The user's reminders.
  public var reminders: Reminders?
  /// The sequence number of iCalendar.
  public var sequence: Int?
  /// Where the event comes from.
  ///
  /// Only its creator can see it.
  public var source: Source?
  /// When the event starts.
  public var start: EventDateTime?
  /// Whether the event takes place.
  ///
  /// A deleted event has little more than this and its id.
  public var status: Status?
  /// The title.
  public var summary: String?
  /// Whether the event makes the user busy.
  public var transparency: Transparency?
  /// When the event was last changed; reminders do not count.
  ///
  /// Set by Google.
  public var updated: Timestamp?
  /// Who can see it.
  public var visibility: Visibility?
  /// Where the user works.
  public var workingLocationProperties: EventWorkingLocationProperties?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("anyoneCanAddSelf", &anyoneCanAddSelf)
    field("attachments", &attachments)
    field("attendees", &attendees)
    field("attendeesOmitted", &attendeesOmitted)
    field("birthdayProperties", &birthdayProperties)
    field("colorId", &colorId)
    field("conferenceData", &conferenceData)
    field("created", &created)
    field("creator", &creator)
    field("description", &description)
    field("end", &end)
    field("endTimeUnspecified", &endTimeUnspecified)
    field("etag", &etag)
    field("eventLabelId", &eventLabelId)
    field("eventType", &eventType)
    field("extendedProperties", &extendedProperties)
    field("focusTimeProperties", &focusTimeProperties)
    field("gadget", &gadget)
    field("guestsCanInviteOthers", &guestsCanInviteOthers)
    field("guestsCanModify", &guestsCanModify)
    field("guestsCanSeeOtherGuests", &guestsCanSeeOtherGuests)
    field("hangoutLink", &hangoutLink)
    field("htmlLink", &htmlLink)
    field("iCalUID", &iCalUID)
    field("id", &id)
    field("kind", &kind)
    field("location", &location)
    field("locked", &locked)
    field("organizer", &organizer)
    field("originalStartTime", &originalStartTime)
    field("outOfOfficeProperties", &outOfOfficeProperties)
    field("privateCopy", &privateCopy)
    field("recurrence", &recurrence)
    field("recurringEventId", &recurringEventId)
    field("reminders", &reminders)
    field("sequence", &sequence)
    field("source", &source)
    field("start", &start)
    field("status", &status)
    field("summary", &summary)
    field("transparency", &transparency)
    field("updated", &updated)
    field("visibility", &visibility)
    field("workingLocationProperties", &workingLocationProperties)
  }
}
