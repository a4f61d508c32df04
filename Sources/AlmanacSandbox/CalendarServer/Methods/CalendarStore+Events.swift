// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

// Reading events ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/events)).
extension CalendarStore {
  func events(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let access = try access(call)
    let calendar = calendars[access.slot]
    let page = try PageRequest(
      call, "events \(calendar.id)", revision: revision, syncTokens: syncTokens,
      oldest: calendar.roleChanges[call.user] ?? 0)
    let query = try EventQuery(call, role: access.role, since: page.since)
    let rows = query.rows(of: calendar, after: page.after, limit: page.size < .max ? page.size + 1 : .max)
    return try listing(page.page(of: rows[...]), calendar, access.role, call)
  }

  func instances(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let access = try access(call)
    let calendar = calendars[access.slot]
    guard let event = calendar.events[call.path("eventId")], !event.isCancelled else { throw .notFound }
    guard let series = event.series else {
      throw APIFault(
        status: 400, reason: "invalid", message: "The event is not a recurring event.", domain: "calendar")
    }
    let page = try PageRequest(
      call, "instances \(calendar.id) \(event.id)", revision: revision, syncTokens: syncTokens)
    let query = try InstanceQuery(call)
    return try listing(page.page(of: query.rows(of: event, series, in: calendar)), calendar, access.role, call)
  }

  func event(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let access = try access(call)
    let calendar = calendars[access.slot]
    guard let event = calendar.event(call.path("eventId")) else { throw .notFound }
    return .resource(try EventView(of: calendar, role: access.role, call.parameters).resource(of: event))
  }

  /// Returns the `Events` resource of a page.
  private func listing(
    _ page: (items: [StoredEvent], token: (name: String, value: JSONValue)), _ calendar: StoredCalendar,
    _ role: AccessRole, _ call: CalendarCall
  ) throws(APIFault) -> CallOutcome {
    let view = try EventView(of: calendar, role: role, call.parameters)
    let (events, token) = page
    let items = events.map { JSONValue.object(view.resource(of: $0)) }
    let entry = accounts[call.user]?.entry(calendar.id)
    let isSummaryShown = role > .freeBusyReader
    return .resource(of: [
      "kind": "calendar#events", "etag": items.collectionETag(view.zone.identifier),
      "summary": isSummaryShown ? calendar.fields["summary"] : nil,
      "description": isSummaryShown ? calendar.fields["description"] : nil,
      "updated": .string(calendar.eventsUpdated.rfc3339(fractionDigits: 3)),
      "timeZone": .string(view.zone.identifier), "accessRole": .string(role.rawValue),
      "defaultReminders": entry?.fields["defaultReminders"] ?? [], "items": .array(items), token.name: token.value,
    ])
  }
}

extension StoredCalendar {
  /// Returns the event with an identifier: a single event, a series, or an instance.
  func event(_ id: String) -> StoredEvent? {
    if let event = events[id] { return event }
    // A series' identifier can contain the separator, too.
    guard let separator = id.lastIndex(of: "_"), let event = events[String(id[..<separator])],
      let start = event.series?.start(suffix: id[id.index(after: separator)...])
    else { return nil }
    return event.instance(at: start)
  }
}
