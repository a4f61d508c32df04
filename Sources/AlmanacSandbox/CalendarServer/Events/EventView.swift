// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import Recurrence
import Timekeeping

/// A reader's view of the events of a calendar.
struct EventView: Sendable {
  let calendarID: String
  /// The time zone of times in the view.
  let zone: Zone
  let role: AccessRole
  /// The maximum number of attendees.
  ///
  /// If an event has more, only the reader is shown.
  var maxAttendees: Int?

  init(of calendar: StoredCalendar, role: AccessRole, _ parameters: CallParameters) throws(APIFault) {
    calendarID = calendar.id
    zone = try parameters.zone() ?? calendar.zone
    self.role = role
    maxAttendees = parameters.integer("maxAttendees")
  }

  /// Returns the `Event` resource of an event.
  ///
  /// A cancelled event has only the fields that identify it.
  func resource(of event: StoredEvent) -> [String: JSONValue] {
    var result: [String: JSONValue] = [:]
    if !event.isCancelled {
      result = isHidden(event) ? [:] : event.fields
      // The copy reserves the capacity for the members below in one step, instead of growing.
      result.reserveCapacity(result.count + 12)
    }
    result["kind"] = "calendar#event"
    result["etag"] = .string(event.etag)
    result["id"] = .string(event.id)
    result["status"] = event.isCancelled ? "cancelled" : event.fields["status"] ?? "confirmed"
    if let exception = event.exception {
      result["recurringEventId"] = .string(exception.seriesID)
      result["originalStartTime"] = exception.originalStart.json(shownIn: zone)
    }
    guard !event.isCancelled else { return result }
    result["start"] = event.start.json(shownIn: zone)
    result["end"] = event.end.json(shownIn: zone)
    result["created"] = .string(event.created.rfc3339(fractionDigits: 3))
    result["updated"] = .string(event.updated.rfc3339(fractionDigits: 3))
    result["iCalUID"] = event.fields["iCalUID"]
    result["eventType"] = event.fields["eventType"] ?? "default"
    result["sequence"] = .integer(Int64(event.sequence))
    if isHidden(event) {
      result["visibility"] = "private"
      result["transparency"] = event.fields["transparency"]
      result["recurrence"] = event.exception == nil ? event.fields["recurrence"] : nil
      return result
    }
    let target = Base64URL.encode(Array("\(event.id) \(calendarID)".utf8))
    result["htmlLink"] = .string("https://calendar.example/event?eid=\(target)")
    for name in ["creator", "organizer"] { result[name] = result[name].map(person) }
    if let attendees = event.fields["attendees"]?.array { show(attendees, of: event, in: &result) }
    ResourceSchema.event.removeDefaults(from: &result)
    return result
  }

  /// Whether the reader sees the event's times but not its details.
  private func isHidden(_ event: StoredEvent) -> Bool {
    role == .freeBusyReader || (event.isPrivate && (role == .reader || role == .writerWithoutPrivateAccess))
  }

  private func person(_ value: JSONValue) -> JSONValue {
    guard var person = value.object else { return value }
    person["self"] = person["email"]?.string == calendarID ? true : nil
    return .object(person)
  }

  private func show(_ attendees: [JSONValue], of event: StoredEvent, in result: inout [String: JSONValue]) {
    let shown = attendees.map { attendee -> JSONValue in
      guard var fields = person(attendee).object else { return attendee }
      fields["organizer"] = fields["email"]?.string == event.organizer ? true : nil
      return .object(fields)
    }
    let canSeeOthers = event.fields["guestsCanSeeOtherGuests"] != false || event.organizer == calendarID
    guard !canSeeOthers || shown.count > maxAttendees ?? .max else {
      result["attendees"] = .array(shown)
      return
    }
    result["attendees"] = .array(shown.filter { $0["self"] == true })
    result["attendeesOmitted"] = true
  }
}
