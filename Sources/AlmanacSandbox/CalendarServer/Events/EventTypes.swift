// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

/// The rules for events of non-default types
/// ([guide](https://developers.google.com/workspace/calendar/api/guides/calendar-status)).
enum EventTypes {
  static func apply(
    to fields: inout [String: JSONValue], start: EventTime, end: EventTime, in calendar: StoredCalendar
  ) throws(APIFault) {
    let type = fields["eventType"]?.string ?? "default"
    fields["eventType"] = .string(type)
    let own = ["focusTime", "outOfOffice", "workingLocation", "birthday"].filter { $0 != type }
    for name in own where fields["\(name)Properties"] != nil {
      throw invalid("\(name)Properties requires the event type \(name).")
    }
    guard type != "default" else { return }
    guard type != "fromGmail" else { throw invalid("Events from Gmail cannot be created.") }
    guard calendar.isPrimary else { throw invalid("Events of the type \(type) must be in a primary calendar.") }
    let days = wholeDays(start, end)
    switch type {
    case "focusTime", "outOfOffice":
      guard days == nil else { throw invalid("An event of the type \(type) must have times.") }
      try require("transparency", "opaque", in: &fields)
    case "workingLocation":
      guard days ?? 1 == 1 else { throw invalid("An all-day working location must last one day.") }
      guard let properties = fields["workingLocationProperties"]?.object, properties["type"]?.string != nil else {
        throw .required("Missing working location properties.")
      }
      try require("transparency", "transparent", in: &fields)
      try require("visibility", "public", in: &fields)
    default:
      guard days == 1 else { throw invalid("A birthday must last one day.") }
      try require("transparency", "transparent", in: &fields)
      try require("visibility", "private", in: &fields)
      guard let rule = fields["recurrence"]?.array?.first?.string, fields["recurrence"]?.array?.count == 1,
        rule == "RRULE:FREQ=YEARLY" || rule == "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"
      else { throw invalid("A birthday must recur every year.") }
      if fields["birthdayProperties"] == nil { fields["birthdayProperties"] = ["type": "birthday"] }
    }
  }

  /// Returns the length of an all-day event in days, or `nil` for an event with times.
  private static func wholeDays(_ start: EventTime, _ end: EventTime) -> Int? {
    guard case .day(let first) = start, case .day(let last) = end else { return nil }
    return last.daysSince1970 - first.daysSince1970
  }

  private static func require(
    _ name: String, _ value: String, in fields: inout [String: JSONValue]
  ) throws(APIFault) {
    guard fields[name]?.string ?? value == value else { throw invalid("\(name) must be \(value).") }
    fields[name] = .string(value)
  }

  private static func invalid(_ message: String) -> APIFault {
    APIFault(status: 400, reason: "eventTypeRestriction", message: message, domain: "calendar")
  }
}
