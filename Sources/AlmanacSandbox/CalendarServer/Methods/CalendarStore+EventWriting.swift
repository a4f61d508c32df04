// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

// Writing events ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/events)).
extension CalendarStore {
  mutating func insertEvent(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let access = try access(call, least: .writerWithoutPrivateAccess)
    let id = try newEventID(call.body["id"]?.string, in: access.slot)
    return try insert(EventDraft(call, changing: nil, replacing: true, in: calendars[access.slot]), id, access, call)
  }

  mutating func quickAddEvent(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let access = try access(call, least: .writerWithoutPrivateAccess)
    let calendar = calendars[access.slot]
    let text = QuickAddText(call.parameters["text"] ?? "", now: calendar.zone.local(at: call.now))
    var quick = call
    quick.body = text.fields(in: calendar.zone)
    let id = try newEventID(nil, in: access.slot)
    return try insert(EventDraft(quick, changing: nil, replacing: true, in: calendar), id, access, call)
  }

  /// Adds a copy of an event from another system, or replaces the event with the same iCalendar identifier.
  mutating func importEvent(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let access = try access(call, least: .writerWithoutPrivateAccess)
    guard let uid = call.body["iCalUID"]?.string, !uid.isEmpty else { throw .required("Missing iCal UID.") }
    guard call.body["eventType"]?.string ?? "default" == "default" else {
      throw .invalid("Only events of the default type can be imported.")
    }
    if let former = calendars[access.slot].events.events(iCalUID: uid).first(where: { $0.exception == nil }) {
      let draft = try EventDraft(call, changing: former, replacing: true, in: calendars[access.slot])
      return try store(draft, changing: former, access, call, isImport: true)
    }
    let id = "_" + Base32Hex.encode(Array(uid.utf8))
    let draft = try EventDraft(call, changing: nil, replacing: true, in: calendars[access.slot])
    return try insert(draft, id, access, call, organizer: call.body["organizer"])
  }

  /// Performs `update`, which replaces all fields, or `patch`, which changes only the fields in the body.
  mutating func changeEvent(_ call: CalendarCall, replacing: Bool) throws(APIFault) -> CallOutcome {
    let access = try access(call, least: .writerWithoutPrivateAccess)
    let former = try writableEvent(call, access)
    let status = call.body["status"]?.string
    if former.isCancelled, status == nil || status == "cancelled" { throw .deleted }
    let draft = try EventDraft(call, changing: former, replacing: replacing, in: calendars[access.slot])
    if status == "cancelled" {
      cancel(former, in: access.slot, call)
      return try shown(former.id, access, call)
    }
    return try store(draft, changing: former, access, call)
  }

  mutating func deleteEvent(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let access = try access(call, least: .writerWithoutPrivateAccess)
    let former = try writableEvent(call, access)
    guard !former.isCancelled else { throw .deleted }
    cancel(former, in: access.slot, call)
    return .nothing
  }

  /// Moves an event, or a series with its exceptions, to another calendar, which becomes the organizer.
  mutating func moveEvent(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let access = try access(call, least: .writerWithoutPrivateAccess)
    let former = try writableEvent(call, access)
    guard !former.isCancelled else { throw .notFound }
    let target = try self.access(call, call.parameters["destination"], least: .writerWithoutPrivateAccess)
    guard former.eventType == "default" else { throw .invalid("Only events of the default type can be moved.") }
    guard former.exception == nil else { throw .invalid("An instance of a recurring event cannot be moved.") }
    guard former.organizer == calendars[access.slot].id else { throw .forbiddenForNonOrganizer }
    guard target.slot != access.slot else { throw .invalid("The event is in this calendar already.") }
    if let known = calendars[target.slot].events[former.id], !known.isCancelled { throw .duplicate }
    let exceptions = calendars[access.slot].events.exceptions(of: former.id)
    cancel(former, in: access.slot, call)
    for event in [former] + exceptions {
      var event = event
      event.fields["organizer"] = organizer(of: target.slot)
      event.touch(call.now)
      share(put(event, in: target.slot), from: target.slot, call)
    }
    return try shown(former.id, target, call)
  }

  /// Cancels an event.
  ///
  /// Also cancels a series' exceptions and, for the organizer's event, the attendees' copies.
  mutating func cancel(_ event: StoredEvent, in slot: Int, _ call: CalendarCall) {
    for var event in [event] + calendars[slot].events.exceptions(of: event.id) where !event.isCancelled {
      event.isCancelled = true
      event.touch(call.now)
      share(put(event, in: slot), from: slot, call)
    }
  }
}

extension CalendarStore {
  private mutating func insert(
    _ draft: EventDraft, _ id: String, _ access: Access, _ call: CalendarCall, organizer: JSONValue? = nil
  ) throws(APIFault) -> CallOutcome {
    try call.requireBatchSupport(draft.fields["eventType"]?.string)
    var event = StoredEvent(
      id: id, fields: draft.fields, start: draft.start, end: draft.end, series: draft.series,
      created: call.now.inMilliseconds, updated: call.now.inMilliseconds)
    event.sequence = draft.sequence ?? 0
    event.createdBy = call.clientID
    event.isCancelled = draft.fields["status"] == "cancelled"
    event.fields["creator"] = .object(of: [
      "email": .string(call.user), "displayName": accounts[call.user].map { .string($0.name) },
    ])
    event.fields["organizer"] = organizer ?? self.organizer(of: access.slot)
    if event.fields["iCalUID"] == nil { event.fields["iCalUID"] = .string("\(id)@calendar.example") }
    if event.fields["reminders"] == nil { event.fields["reminders"] = ["useDefault": true] }
    if event.fields["status"] == nil { event.fields["status"] = "confirmed" }
    let isConferenceNew = Conference.complete(&event.fields, id: id)
    share(put(event, in: access.slot), from: access.slot, call)
    return try shown(id, access, call, isConferencePending: isConferenceNew)
  }

  private mutating func store(
    _ draft: EventDraft, changing former: StoredEvent, _ access: Access, _ call: CalendarCall, isImport: Bool = false
  ) throws(APIFault) -> CallOutcome {
    var event = former
    event.fields = draft.fields
    (event.start, event.end, event.series) = (draft.start, draft.end, draft.series)
    event.isCancelled = false
    if event.fields["status"] == nil || event.fields["status"] == "cancelled" { event.fields["status"] = "confirmed" }
    if event.fields["reminders"] == nil { event.fields["reminders"] = ["useDefault": true] }
    // The identifier instead of the calendar: a second reference to the calendar's events would make `put` copy all of them.
    let calendarID = calendars[access.slot].id
    if !isImport, former.organizer != calendarID, former.fields["guestsCanModify"] != true,
      event.sharedFields(besides: calendarID) != former.sharedFields(besides: calendarID)
    {
      throw .forbiddenForNonOrganizer
    }
    let isMoved =
      event.start != former.start || event.end != former.end
      || event.fields["recurrence"] != former.fields["recurrence"]
    event.sequence = max(draft.sequence ?? 0, former.sequence + (isMoved ? 1 : 0))
    let isMinor = !isMoved && !former.isCancelled && event.hasOnlyOtherReminders(than: former)
    if isMinor { event.minorChanges += 1 } else { event.touch(call.now) }
    let isConferenceNew = Conference.complete(&event.fields, id: event.id)
    if isMoved, let series = former.series {
      event.formerSeries = event.formerSeries.suffix(15) + [(revision: revision + 1, series: series)]
    }
    let stored = put(event, in: access.slot)
    share(stored, from: access.slot, call)
    // Exceptions of instances that no longer exist.
    for exception in calendars[access.slot].events.exceptions(of: event.id) where !exception.isCancelled {
      guard let start = exception.exception?.originalStart, event.series?.contains(start) != true else { continue }
      cancel(exception, in: access.slot, call)
    }
    return try shown(event.id, access, call, isConferencePending: isConferenceNew)
  }

  private func shown(
    _ id: String, _ access: Access, _ call: CalendarCall, isConferencePending: Bool = false
  ) throws(APIFault) -> CallOutcome {
    let calendar = calendars[access.slot]
    guard let event = calendar.event(id) else { throw .notFound }
    var view = try EventView(of: calendar, role: access.role, call.parameters)
    if call.method.parameters["maxAttendees"] == nil { view.maxAttendees = nil }
    var resource = view.resource(of: event)
    if isConferencePending { Conference.showPending(&resource) }
    return .resource(resource)
  }

  private func writableEvent(_ call: CalendarCall, _ access: Access) throws(APIFault) -> StoredEvent {
    guard let event = calendars[access.slot].event(call.path("eventId")) else { throw .notFound }
    guard access.role >= .writer || !event.isPrivate else { throw .requiredAccessLevel(.writer) }
    try call.requireBatchSupport(event.eventType)
    try call.requireMatch(event.etag)
    return event
  }

  private func newEventID(_ asked: String?, in slot: Int) throws(APIFault) -> String {
    guard let asked else { return StoredEvent.id(for: "\(revision) \(calendars[slot].id)") }
    let allowed = (UInt8(ascii: "a")...UInt8(ascii: "v"), UInt8(ascii: "0")...UInt8(ascii: "9"))
    guard (5...1024).contains(asked.utf8.count),
      asked.utf8.allSatisfy({ allowed.0.contains($0) || allowed.1.contains($0) })
    else { throw .invalid("Invalid resource id value.") }
    guard calendars[slot].events[asked] == nil else { throw .duplicate }
    return asked
  }

  /// Returns the organizer of events created in a calendar: the owner of a primary calendar, or the calendar itself.
  private func organizer(of slot: Int) -> JSONValue {
    let calendar = calendars[slot]
    let name = accounts[calendar.id]?.name ?? calendar.summary
    return ["email": .string(calendar.id), "displayName": .string(name)]
  }
}

extension StoredEvent {
  /// The properties shared by all copies of the event.
  ///
  /// Excludes the attendee's own response.
  fileprivate func sharedFields(besides calendarID: String) -> JSONValue {
    let names = [
      "summary", "description", "location", "recurrence", "visibility", "guestsCanInviteOthers", "guestsCanModify",
      "guestsCanSeeOtherGuests", "attachments", "conferenceData", "source", "status",
    ]
    var shared = fields.filter { names.contains($0.key) }
    shared["start"] = start.json(shownIn: .utc)
    shared["end"] = end.json(shownIn: .utc)
    shared["attendees"] = fields["attendees"]?.array.map { attendees in
      .array(attendees.filter { $0["email"]?.string != calendarID })
    }
    shared["properties"] = fields["extendedProperties"]?["shared"]
    return .object(shared)
  }

  /// Whether two versions of an event differ only in reminders.
  fileprivate func hasOnlyOtherReminders(than other: StoredEvent) -> Bool {
    var (mine, others) = (fields, other.fields)
    mine["reminders"] = nil
    others["reminders"] = nil
    return mine == others && fields["reminders"] != other.fields["reminders"]
  }
}
