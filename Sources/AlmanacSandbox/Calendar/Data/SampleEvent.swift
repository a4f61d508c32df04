// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import Recurrence
import Timekeeping

/// An event of a sample calendar: a single one, a series, or a changed or cancelled instance of one.
struct SampleEvent: Sendable {
  struct Attendee: Sendable {
    let name: String
    let email: String
    let response: String
  }

  /// Whose place an event takes in a series.
  struct Exception: Sendable {
    let seriesID: String
    let originalStart: Moment
  }

  let id: String
  var summary: String
  var start: Moment
  var end: Moment
  var rule: String?
  var details = Details()
  var isCancelled = false
  var exception: Exception?
  let created: Timestamp
  let updated: Timestamp

  /// What an event may have or not.
  struct Details: Sendable {
    var description: String?
    var location: String?
    var attendees: [Attendee] = []
    var colorID: String?
    var status = "confirmed"
    var isTransparent = false
  }

  /// Google's: twice the time of the last change in microseconds.
  var etag: String { "\"\((updated.secondsSince1970 * 1_000_000 + Int64(updated.nanoseconds / 1000)) * 2)\"" }
}

extension SampleEvent {
  /// How many midnights it lasts over.
  var days: Int { end.date.daysSince1970 - start.date.daysSince1970 }

  /// The instance that starts on another day than the series does.
  func instance(on date: CivilDate) -> SampleEvent {
    let days = date.daysSince1970 - start.date.daysSince1970
    let originalStart = start.adding(days: days)
    var instance = SampleEvent(
      id: "\(id)_\(originalStart.instanceSuffix)", summary: summary, start: originalStart, end: end.adding(days: days),
      details: details, created: created, updated: updated)
    instance.exception = Exception(seriesID: id, originalStart: originalStart)
    return instance
  }

  func matches(_ words: String) -> Bool {
    let texts =
      [summary, details.description, details.location].compactMap(\.self)
      + details.attendees.flatMap { [$0.name, $0.email] }
    return !isCancelled && texts.contains { $0.lowercased().contains(words.lowercased()) }
  }

  /// `Event`, times shown in the zone that the reader requested.
  ///
  /// A cancelled one keeps only what tells which it was.
  func json(in calendar: SampleCalendar, shownIn zone: Zone) -> JSONValue {
    var members: [String: JSONValue?] = [
      "kind": "calendar#event", "etag": .string(etag), "id": .string(id),
      "status": .string(isCancelled ? "cancelled" : details.status),
      "recurringEventId": exception.map { .string($0.seriesID) },
      "originalStartTime": exception?.originalStart.json(shownIn: zone),
    ]
    if !isCancelled {
      let owner: JSONValue = [
        "email": .string(calendar.id), "displayName": .string(calendar.summary),
        "self": .bool(calendar.role == .owner),
      ]
      let more: [String: JSONValue?] = [
        "summary": .string(summary), "start": start.json(shownIn: zone), "end": end.json(shownIn: zone),
        "recurrence": rule.map { [.string("RRULE:" + $0)] },
        "description": details.description.map { .string($0) }, "location": details.location.map { .string($0) },
        "colorId": details.colorID.map { .string($0) }, "transparency": details.isTransparent ? "transparent" : nil,
        "attendees": details.attendees.isEmpty ? nil : .array(details.attendees.map(\.json)),
        "created": .string(created.rfc3339(fractionDigits: 3)), "updated": .string(updated.rfc3339(fractionDigits: 3)),
        "creator": owner, "organizer": owner, "iCalUID": .string("\(exception?.seriesID ?? id)@calendar.example"),
        "sequence": 0, "reminders": ["useDefault": true], "eventType": "default",
      ]
      members.merge(more) { $1 }
    }
    return .object(of: members)
  }

  /// An identifier as Google makes them, 26 characters of Base32hex, the same for the same text.
  static func id(for text: String) -> String {
    let digits = Array("0123456789abcdefghijklmnopqrstuv")
    return String(MessageDigest.sha256(text).prefix(26).map { digits[Int($0 & 31)] })
  }
}

extension SampleEvent.Attendee {
  fileprivate var json: JSONValue {
    ["displayName": .string(name), "email": .string(email), "responseStatus": .string(response)]
  }
}
