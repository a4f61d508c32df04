// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

/// Google's requirements for the fields of an event, and the limits at which it silently truncates them.
enum EventRules {
  static func apply(
    to fields: inout [String: JSONValue], start: EventTime, end: EventTime, in calendar: StoredCalendar
  ) throws(APIFault) {
    if let reminders = fields["reminders"], let overrides = reminders["overrides"]?.array {
      guard reminders["useDefault"] != true || overrides.isEmpty else {
        throw .invalid("Cannot specify both default reminders and overrides at the same time.")
      }
      try Reminders.check(overrides)
    }
    for attachment in fields["attachments"]?.array ?? [] where (attachment["fileUrl"]?.string ?? "").isEmpty {
      throw .required("Missing attachment URL.")
    }
    guard (fields["attachments"]?.array?.count ?? 0) <= 25 else { throw .invalid("Too many attachments.") }
    if let attendees = fields["attendees"]?.array { fields["attendees"] = .array(try normalized(attendees)) }
    if let colorID = fields["colorId"]?.string, !CalendarColors.event.contains(where: { $0.id == colorID }) {
      throw .invalid("Invalid color identifier.")
    }
    if let properties = fields["extendedProperties"]?.object {
      fields["extendedProperties"] = .object(try limited(properties))
    }
    try EventTypes.apply(to: &fields, start: start, end: end, in: calendar)
  }

  /// Returns the attendees without duplicates, each with a lowercase e-mail address and a response status.
  private static func normalized(_ attendees: [JSONValue]) throws(APIFault) -> [JSONValue] {
    var seen: Set<String> = []
    var result: [JSONValue] = []
    for attendee in attendees {
      guard var fields = attendee.object, let email = fields["email"]?.string?.lowercased() else {
        throw .required("Missing attendee email.")
      }
      guard email.split(separator: "@", omittingEmptySubsequences: false).count == 2, !email.hasPrefix("@"),
        !email.hasSuffix("@")
      else { throw .invalid("Invalid attendee email.") }
      guard seen.insert(email).inserted else { continue }
      fields["email"] = .string(email)
      if fields["responseStatus"] == nil { fields["responseStatus"] = "needsAction" }
      result.append(.object(fields))
    }
    return result
  }

  /// Drops properties whose names have more than 44 characters, and truncates values to 1,024 characters.
  private static func limited(_ properties: [String: JSONValue]) throws(APIFault) -> [String: JSONValue] {
    var (result, count, size) = (properties, 0, 0)
    for scope in ["private", "shared"] {
      guard let values = properties[scope]?.object else { continue }
      var kept: [String: JSONValue] = [:]
      for (name, value) in values where name.count <= 44 {
        let text = String((value.string ?? "").prefix(1024))
        kept[name] = .string(text)
        count += 1
        size += name.utf8.count + text.utf8.count
      }
      result[scope] = .object(kept)
    }
    guard count <= 300, size <= 32 * 1024 else { throw .invalid("The extended properties are too large.") }
    return result
  }
}

/// The rules for reminders of events and of calendars.
enum Reminders {
  static func check(_ reminders: [JSONValue]) throws(APIFault) {
    guard reminders.count <= 5 else { throw .invalid("Too many override reminders.") }
    for reminder in reminders {
      guard reminder["method"]?.string != nil else { throw .required("Missing reminder method.") }
      guard let minutes = reminder["minutes"]?.number?.integer else { throw .required("Missing reminder minutes.") }
      guard (0...40_320).contains(minutes) else { throw .invalid("Invalid reminder minutes.") }
    }
  }
}
