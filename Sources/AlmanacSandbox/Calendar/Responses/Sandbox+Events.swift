// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Synchronization
import Timekeeping

extension Sandbox {
  /// `events.list` ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/events/list)).
  func events(of calendar: SampleCalendar, _ parameters: Parameters, fingerprint path: String) throws(APIFault)
    -> JSONValue
  {
    let paging = try Paging(
      parameters, path: path, default: 250, maximum: 2500, fullOnly: EventQuery.fullOnly,
      syncGeneration: state.withLock { $0.syncGeneration })
    let query = try EventQuery(parameters)
    // No event changes, so there is nothing new since any earlier listing.
    let events = paging.changedSince != nil ? [] : query.events(of: calendar, today: library.today)
    let page = paging.page(of: events, path: path, revision: 0)
    let zone = query.shownZone ?? calendar.zone
    let items = page.items.map { $0.json(in: calendar, shownIn: zone) }
    let updated = calendar.events.map(\.updated).max() ?? calendar.updated
    return .object(of: [
      "kind": "calendar#events", "etag": .etag(of: items), "summary": .string(calendar.summary),
      "description": calendar.description.map { .string($0) }, "updated": .string(updated.rfc3339(fractionDigits: 3)),
      "timeZone": .string(zone.identifier), "accessRole": .string(calendar.role.rawValue),
      "defaultReminders": calendar.role == .owner ? [["method": "popup", "minutes": 10]] : [],
      "items": .array(items), page.token.name: page.token.value,
    ])
  }

  /// `events.get` ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/events/get)), of single
  /// events, series and instances.
  func event(_ id: String, of calendar: SampleCalendar, _ parameters: Parameters) throws(APIFault) -> JSONValue {
    let zone = try EventQuery.zone(parameters) ?? calendar.zone
    if let event = calendar.events.first(where: { $0.id == id }) { return event.json(in: calendar, shownIn: zone) }
    guard let series = calendar.events.first(where: { $0.rule != nil && id.hasPrefix($0.id + "_") }),
      let instance = series.dates(through: library.today.adding(days: 3660))?
        .lazy.map({ series.instance(on: $0) }).first(where: { $0.id == id })
    else { throw .notFound }
    return instance.json(in: calendar, shownIn: zone)
  }
}
