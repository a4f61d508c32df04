// SPDX-License-Identifier: Apache-2.0

import Timekeeping

extension CalendarStore {
  typealias Handler = @Sendable (inout CalendarStore, CalendarCall) throws(APIFault) -> CallOutcome

  /// How each method is carried out.
  static let handlers: [String: Handler] = [
    "acl.delete": { (store, call) throws(APIFault) in try store.deleteRule(call) },
    "acl.get": { (store, call) throws(APIFault) in try store.rule(call) },
    "acl.insert": { (store, call) throws(APIFault) in try store.insertRule(call) },
    "acl.list": { (store, call) throws(APIFault) in try store.rules(call) },
    "acl.patch": { (store, call) throws(APIFault) in try store.changeRule(call, replacing: false) },
    "acl.update": { (store, call) throws(APIFault) in try store.changeRule(call, replacing: true) },
    "acl.watch": { (store, call) throws(APIFault) in try store.watchRules(call) },
    "calendarList.delete": { (store, call) throws(APIFault) in try store.deleteEntry(call) },
    "calendarList.get": { (store, call) throws(APIFault) in try store.entry(call) },
    "calendarList.insert": { (store, call) throws(APIFault) in try store.insertEntry(call) },
    "calendarList.list": { (store, call) throws(APIFault) in try store.entries(call) },
    "calendarList.patch": { (store, call) throws(APIFault) in try store.changeEntry(call, replacing: false) },
    "calendarList.update": { (store, call) throws(APIFault) in try store.changeEntry(call, replacing: true) },
    "calendarList.watch": { (store, call) throws(APIFault) in try store.watchEntries(call) },
    "calendars.clear": { (store, call) throws(APIFault) in try store.clearCalendar(call) },
    "calendars.delete": { (store, call) throws(APIFault) in try store.deleteCalendar(call) },
    "calendars.get": { (store, call) throws(APIFault) in try store.calendar(call) },
    "calendars.insert": { (store, call) throws(APIFault) in try store.insertCalendar(call) },
    "calendars.patch": { (store, call) throws(APIFault) in try store.changeCalendar(call, replacing: false) },
    "calendars.transferOwnership": { (store, call) throws(APIFault) in try store.transferCalendar(call) },
    "calendars.update": { (store, call) throws(APIFault) in try store.changeCalendar(call, replacing: true) },
    "channels.stop": { (store, call) throws(APIFault) in try store.stopChannel(call) },
    "colors.get": { (_, _) throws(APIFault) in .resource(CalendarColors.resource) },
    "events.delete": { (store, call) throws(APIFault) in try store.deleteEvent(call) },
    "events.get": { (store, call) throws(APIFault) in try store.event(call) },
    "events.import": { (store, call) throws(APIFault) in try store.importEvent(call) },
    "events.insert": { (store, call) throws(APIFault) in try store.insertEvent(call) },
    "events.instances": { (store, call) throws(APIFault) in try store.instances(call) },
    "events.list": { (store, call) throws(APIFault) in try store.events(call) },
    "events.move": { (store, call) throws(APIFault) in try store.moveEvent(call) },
    "events.patch": { (store, call) throws(APIFault) in try store.changeEvent(call, replacing: false) },
    "events.quickAdd": { (store, call) throws(APIFault) in try store.quickAddEvent(call) },
    "events.update": { (store, call) throws(APIFault) in try store.changeEvent(call, replacing: true) },
    "events.watch": { (store, call) throws(APIFault) in try store.watchEvents(call) },
    "freebusy.query": { (store, call) throws(APIFault) in try store.freeBusy(call) },
    "settings.get": { (store, call) throws(APIFault) in try store.setting(call) },
    "settings.list": { (store, call) throws(APIFault) in try store.settings(call) },
    "settings.watch": { (store, call) throws(APIFault) in try store.watchSettings(call) },
  ]

  /// Carries out a call: all of it, or nothing if it fails.
  mutating func perform(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    guard let handler = Self.handlers[call.method.id] else { throw .notFound }
    defer {
      channels.announce(touched, now: call.now)
      touched = []
    }
    return try handler(&self, call)
  }
}
