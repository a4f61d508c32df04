// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Testing

struct CalendarScopeTests {
  static let scopes: [(CalendarScope, String)] = [
    (.full, "calendar"), (.acls, "calendar.acls"), (.aclsReadOnly, "calendar.acls.readonly"),
    (.appCreated, "calendar.app.created"), (.calendarList, "calendar.calendarlist"),
    (.calendarListReadOnly, "calendar.calendarlist.readonly"), (.calendars, "calendar.calendars"),
    (.calendarsReadOnly, "calendar.calendars.readonly"), (.events, "calendar.events"),
    (.eventsFreeBusy, "calendar.events.freebusy"), (.eventsOwned, "calendar.events.owned"),
    (.eventsOwnedReadOnly, "calendar.events.owned.readonly"),
    (.eventsPublicReadOnly, "calendar.events.public.readonly"),
    (.eventsReadOnly, "calendar.events.readonly"), (.freeBusy, "calendar.freebusy"), (.readOnly, "calendar.readonly"),
    (.settings, "calendar.settings"), (.settingsReadOnly, "calendar.settings.readonly"),
  ]

  @Test(arguments: scopes) func isTheAddressGoogleKnows(_ scope: CalendarScope, _ name: String) {
    #expect(scope.rawValue == "https://www.googleapis.com/auth/" + name)
  }

  @Test func thereAreEighteen() { #expect(Set(Self.scopes.map(\.0)).count == 18) }
}
