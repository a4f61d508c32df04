// SPDX-License-Identifier: Apache-2.0

import CalendarAPI

extension CollectionSync<CalendarListPage> {
  static func calendarList(_ run: SyncRun) -> Self {
    Self(run: run, collection: .calendarList, query: "showHidden=true") { syncToken in
      CalendarListResource.list(.init(showHidden: true, maxResults: 250, syncToken: syncToken))
    } step: { entry throws(CalendarStoreError) in
      guard let id = entry.id else { throw .missingID(in: .calendarList) }
      return entry.deleted == true ? .remove(id) : .put(.calendar(entry))
    }
  }
}

extension CollectionSync<SettingsPage> {
  static func settings(_ run: SyncRun) -> Self {
    Self(run: run, collection: .settings, query: "") { syncToken in
      SettingsResource.list(.init(maxResults: 250, syncToken: syncToken))
    } step: { setting throws(CalendarStoreError) in
      .put(.setting(setting))
    }
  }
}

extension CollectionSync<AclPage> {
  static func accessRules(_ run: SyncRun, of calendarID: String) -> Self {
    let collection = SyncCollection.accessRules(calendarID: calendarID)
    return Self(run: run, collection: collection, query: "") { syncToken in
      AclResource.list(in: calendarID, .init(maxResults: 250, syncToken: syncToken))
    } step: { rule throws(CalendarStoreError) in
      guard let id = rule.id else { throw .missingID(in: collection) }
      return rule.role == AccessRole.none ? .remove(id) : .put(.accessRule(rule))
    }
  }
}

extension CollectionSync<EventsPage> {
  static func events(_ run: SyncRun, in calendarID: String) -> Self {
    let (types, attendees) = (run.options.eventTypes, run.options.maximumAttendeeCount)
    let size = min(max(1, run.options.pageSize), 2500)
    let collection = SyncCollection.events(calendarID: calendarID)
    let query =
      "eventTypes=\(types.map(\.rawValue).joined(separator: ","))&maxAttendees=\(attendees.map(String.init) ?? "")"
    return Self(run: run, collection: collection, query: query) { syncToken in
      EventsResource.list(
        in: calendarID, .init(eventTypes: types, maxAttendees: attendees, maxResults: size, syncToken: syncToken))
    } step: { event throws(CalendarStoreError) in
      guard let id = event.id else { throw .missingID(in: collection) }
      // A cancelled instance replaces an instance of its series.
      return event.status == .cancelled && event.recurringEventID == nil ? .remove(id) : .put(.event(event))
    }
  }
}
