// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Testing

/// Bodies of the shapes that servers have sent since 2010, with invented values: reading and writing loses nothing.
struct RecordedShapeTests {
  /// A page of events: etags of two ages, identifiers that were imported, times in UTC and with an offset, all-day events, a
  /// series, an exception of it, and a date that is a placeholder.
  static let events = #"""
    {"kind":"calendar#events","etag":"\"NybCyMgjk_M6Il-p8A/at-uhQslQ-GUe\"","summary":"ana@example.org",
    "description":"Events of the team","updated":"2014-11-15T22:32:46.965Z","timeZone":"America/Los_Angeles",
    "accessRole":"owner","defaultReminders":[{"method":"popup","minutes":30}],"nextSyncToken":"AKi8uge987ECEIjyiZnV_cECGAU=",
    "items":[
    {"kind":"calendar#event","etag":"\"2652275978000000\"","id":"_75342gho74p3aba4852j6b9k6l0j2ba16l23cba18p2j8h9p74o4adhh6k",
    "status":"confirmed","htmlLink":"https://www.google.com/calendar/event?eid=HikHg9bQzIk2","created":"2011-04-04T23:52:57.000Z",
    "updated":"2012-01-09T19:39:49.000Z","summary":"Staff meeting","creator":{"email":"ana@example.org","displayName":"Ana","self":true},
    "organizer":{"email":"klei8jnelo09@group.calendar.google.com","displayName":"Team","self":true},
    "start":{"dateTime":"2011-10-03T09:30:00-07:00","timeZone":"America/Los_Angeles"},
    "end":{"dateTime":"2011-10-03T10:30:00-07:00","timeZone":"America/Los_Angeles"},
    "recurrence":["RRULE:FREQ=WEEKLY;WKST=SU;UNTIL=20120109T075959Z;BYDAY=MO"],"iCalUID":"schedule-74220-8@courses.example",
    "sequence":2,"extendedProperties":{"shared":{"key":"value"}},"reminders":{"useDefault":true}},
    {"kind":"calendar#event","id":"24mvjaandpak0tnc74p4ooqcag","status":"confirmed","location":"105 STANLEY","transparency":"transparent",
    "start":{"date":"2013-04-10"},"end":{"date":"2013-04-11"},"colorId":"3","reminders":{"useDefault":false},
    "attendees":[{"email":"bo@example.org","displayName":"Bo","self":true,"responseStatus":"needsAction"}]},
    {"id":"5hskl88u70fdekmted80rkjut4_20121116T190000Z","status":"confirmed","recurringEventId":"5hskl88u70fdekmted80rkjut4",
    "originalStartTime":{"dateTime":"2012-11-16T11:00:00-08:00","timeZone":"America/Los_Angeles"},
    "start":{"dateTime":":::TODAY_NINE:::"},"end":{"date":":::TOMORROW:::"}},
    {"kind":"calendar#event","etag":"\"2864417954210000\"","id":"5hskl88u70fdekmted80rkjut4_20150701T010000Z","status":"cancelled",
    "recurringEventId":"5hskl88u70fdekmted80rkjut4_R20150527T010000","originalStartTime":{"dateTime":"2015-07-01T10:00:00+09:00"}}
    ]}
    """#

  @Test func aPageOfEventsSurvives() throws {
    let page = try EventsPage(json: Array(Self.events.utf8))
    #expect(page.items.map(\.status) == ["confirmed", "confirmed", "confirmed", "cancelled"])
    #expect(page.etag == "\"NybCyMgjk_M6Il-p8A/at-uhQslQ-GUe\"")
    // What is no date is kept as it is.
    #expect(page.items[2].start?.dateTime == nil)
    #expect(page.items[2].end?.additionalFields == ["date": ":::TOMORROW:::"])
    #expect(
      try fields(of: page.json())
        == fields(
          of: Self.events.replacing("57.000Z", with: "57Z")
            .replacing("49.000Z", with: "49Z")))
  }

  static let unusualEvents = [
    (
      "the time stands under another name",
      #"""
      {"id":"a","start":{"dateTimes":"2008-09-24T10:30:00-07:00"},"end":{"dateTimes":"2008-09-24T11:00:00-07:00"}}
      """#
    ),
    (
      "the time stands where the date belongs",
      #"{"id":"a","start":{"date":"2008-09-24T10:30:00-07:00","timeZone":"UTC"}}"#
    ),
    ("created in 1900", #"{"created":"1900-01-01T12:00:00Z","updated":"1899-12-31T23:59:59.999Z","summary":"a"}"#),
    ("an unknown colour", #"{"id":"a","colorId":"99","description":"","location":""}"#),
    ("an attendee without an address", #"{"id":"a","attendees":[{"self":true,"responseStatus":"declined"},{}]}"#),
    ("nothing but an identifier that was imported", #"{"id":"_e1#a.b@c","iCalUID":"schedule-1-final@example.com"}"#),
    ("an object that is empty", #"{"start":{},"reminders":{},"extendedProperties":{"shared":{}},"attendees":[]}"#),
  ]

  @Test(arguments: unusualEvents) func anEventOfAnUnusualShapeSurvives(_ reason: String, _ json: String) throws {
    let event = try Event(json: Array(json.utf8))
    #expect(try fields(of: event.json()) == fields(of: json))
    #expect(event.additionalFields.isEmpty, "what does not fit is kept where it was")
    let page = try EventsPage(json: Array(#"{"items":[{"id":"b"},\#(json)],"nextPageToken":"CkkK"}"#.utf8))
    #expect(page.items.last == event)
  }

  /// Bodies of other schemas, by their names in the table of the API.
  static let others = [
    (
      "CalendarList",
      ##"""
      {"kind":"calendar#calendarList","etag":"\"etag3\"","nextSyncToken":"somebase64text==","items":[
      {"kind":"calendar#calendarListEntry","etag":"\"etag0\"","id":"ana@example.org","summary":"ana@example.org","timeZone":"UTC",
      "colorId":"15","backgroundColor":"#9fc6e7","foregroundColor":"#000000","selected":true,"accessRole":"owner","primary":true,
      "defaultReminders":[{"method":"email","minutes":10}],
      "notificationSettings":{"notifications":[{"type":"eventCreation","method":"email"}]},
      "conferenceProperties":{"allowedConferenceSolutionTypes":["eventNamedHangout"]}},
      {"id":"#contacts@group.v.calendar.google.com","summary":"Contacts","location":"Seattle","accessRole":"reader"}]}
      """##
    ),
    (
      "FreeBusyResponse",
      #"""
      {"timeMin":"2015-03-06T00:00:00Z","timeMax":"2015-03-06T23:59:59Z","calendars":
      {"busy@example.org":{"busy":[{"start":"2015-03-06T10:00:00Z","end":"2015-03-06T11:00:00Z"},
      {"start":"2015-03-06T11:30:00Z","end":"2015-03-06T11:30:00Z"}]},"free@example.org":{"busy":[]},
      "gone@example.org":{"errors":[{"domain":"global","reason":"notFound"}],"busy":[]}}}
      """#
    ),
    (
      "Calendar",
      #"""
      {"kind":"calendar#calendar","etag":"\"a/b\"","id":"gqeb@group.calendar.google.com","summary":"New","location":"Portland",
      "description":"Events of the team"}
      """#
    ),
    (
      "Events",
      #"{"kind":"calendar#events","defaultReminders":[],"items":[],"updated":"2014-11-15T22:32:46.965Z","etag":"\"1\""}"#
    ),
    (
      "Events",
      #"{"items":[{"id":"a","guestsCanModify":true,"visibility":"private","hangoutLink":"https://a.example/"}]}"#
    ),
  ]

  @Test(arguments: others) func aBodyOfAnotherSchemaSurvives(_ schema: String, _ json: String) throws {
    let value = try #require(CoverageTests.schemas[schema]).init(json: Array(json.utf8))
    #expect(try fields(of: value.json()) == fields(of: json) && value.additionalFields.isEmpty)
  }
}
