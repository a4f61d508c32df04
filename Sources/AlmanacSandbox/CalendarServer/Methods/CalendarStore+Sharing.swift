// SPDX-License-Identifier: Apache-2.0

import JSONCoding

// An invited user of the sandbox has a copy of the event in the primary calendar.
extension CalendarStore {
  /// Updates the other copies of an event.
  ///
  /// The attendees' copies receive the changes of the organizer's event. The organizer's event receives an attendee's response.
  mutating func share(_ event: StoredEvent, from slot: Int, _ call: CalendarCall) {
    let calendarID = calendars[slot].id
    if event.organizer == calendarID {
      invite(to: event, organizer: calendarID, call)
    } else if let organizer = event.organizer, let home = self.slot(organizer),
      var original = calendars[home].event(event.id), !original.isCancelled
    {
      let response = event.isCancelled ? "declined" : event.response(of: calendarID)
      guard let response, original.response(of: calendarID) != response else { return }
      original.setResponse(of: calendarID, response, copy: event)
      original.touch(call.now)
      invite(to: put(original, in: home), organizer: organizer, call, besides: calendarID)
    }
  }

  private mutating func invite(
    to event: StoredEvent, organizer: String, _ call: CalendarCall, besides author: String? = nil
  ) {
    for user in accounts.keys.sorted() where user != organizer && user != author {
      guard let slot = slot(user), calendars[slot].isPrimary else { continue }
      let former = calendars[slot].events[event.id]
      let isInvited = !event.isCancelled && event.response(of: user) != nil
      guard isInvited || former.map({ !$0.isCancelled && $0.organizer == organizer }) ?? false else { continue }
      guard former.map({ $0.organizer == organizer }) ?? true else { continue }
      var copy = event
      copy.isCancelled = !isInvited
      for name in Self.privateFields {
        copy.fields[name] = former?.fields[name] ?? (name == "reminders" ? ["useDefault": true] : nil)
      }
      copy.fields["extendedProperties"] = event.fields["extendedProperties"]?["shared"].map { ["shared": $0] }
      if let own = former?.fields["extendedProperties"]?["private"] {
        copy.fields["extendedProperties"] = (copy.fields["extendedProperties"] ?? [:]).applying(
          mergePatch: ["private": own])
      }
      if let former { copy.updated = max(former.updated, copy.updated) }
      if former != nil { copy.touch(call.now) }
      put(copy, in: slot)
    }
  }

  /// The separate fields of each copy.
  private static let privateFields = ["reminders", "colorId", "transparency"]
}

extension StoredEvent {
  fileprivate mutating func setResponse(of email: String, _ response: String, copy: StoredEvent) {
    let own = copy.fields["attendees"]?.array?.first { $0["email"]?.string == email }
    let attendees = (fields["attendees"]?.array ?? []).map { attendee -> JSONValue in
      guard attendee["email"]?.string == email else { return attendee }
      var fields = (own ?? attendee).object ?? [:]
      fields["responseStatus"] = .string(response)
      return .object(fields)
    }
    fields["attendees"] = .array(attendees)
  }
}
