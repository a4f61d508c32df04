// SPDX-License-Identifier: Apache-2.0

import JSONCoding
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

  /// What an event has beside its times.
  func fields(in calendar: SampleCalendar) -> [String: JSONValue] {
    let owner: JSONValue = ["email": .string(calendar.id), "displayName": .string(calendar.summary)]
    let fields: [String: JSONValue?] = [
      "summary": .string(summary), "status": .string(details.status),
      "recurrence": rule.map { [.string("RRULE:" + $0)] },
      "description": details.description.map { .string($0) }, "location": details.location.map { .string($0) },
      "colorId": details.colorID.map { .string($0) }, "transparency": details.isTransparent ? "transparent" : nil,
      "attendees": details.attendees.isEmpty ? nil : .array(details.attendees.map(\.json)), "creator": owner,
      "organizer": owner, "iCalUID": .string("\(exception?.seriesID ?? id)@calendar.example"),
      "reminders": ["useDefault": true], "eventType": "default",
    ]
    return fields.compactMapValues(\.self)
  }
}

extension SampleEvent.Attendee {
  fileprivate var json: JSONValue {
    ["displayName": .string(name), "email": .string(email), "responseStatus": .string(response)]
  }
}

extension SampleEvent {
  /// The days on which a series takes place; `nil` for what is not one.
  ///
  /// - Parameters:
  ///   - first: The first day to look at. Defaults to that of the series.
  ///   - last: The last day to look at.
  func dates(from first: CivilDate? = nil, through last: CivilDate) -> [CivilDate]? {
    rule.flatMap { start.dates($0, from: first, through: last) }
  }
}

extension Moment {
  /// The days on which a series that begins with this takes place by a rule; `nil` for a rule that cannot be read.
  func dates(_ rule: String, from first: CivilDate? = nil, through last: CivilDate) -> [CivilDate]? {
    guard let rule = try? RecurrenceRule(rule), var series = try? RecurrenceSet(start: seriesTime, rules: [rule])
    else { return nil }
    series.includesStart = false
    return series.occurrences(from: first ?? date, to: last.adding(days: 1)).map(\.date)
  }

  private var seriesTime: SeriesTime {
    switch self {
    case .day(let date): return .date(date)
    case .time(let date, let minute, let zone):
      guard let local = LocalDateTime(date, hour: minute / 60, minute: minute % 60) else { return .date(date) }
      return .local(local, zone)
    }
  }
}
