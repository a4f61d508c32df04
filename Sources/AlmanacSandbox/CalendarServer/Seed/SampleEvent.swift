// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// An event of a sample calendar: a single event, a series, or a changed or cancelled instance of a series.
struct SampleEvent: Sendable {
  struct Attendee: Sendable {
    let name: String
    let email: String
    let response: String
  }

  /// The instance of a series replaced by an exception.
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

  /// The optional properties of an event.
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
  /// Returns the instance of the series on a day.
  func instance(on date: CivilDate) -> SampleEvent {
    let days = date.daysSince1970 - start.date.daysSince1970
    let originalStart = start.adding(days: days)
    var instance = SampleEvent(
      id: "\(id)_\(originalStart.instanceSuffix)", summary: summary, start: originalStart, end: end.adding(days: days),
      details: details, created: created, updated: updated)
    instance.exception = Exception(seriesID: id, originalStart: originalStart)
    return instance
  }

  /// Returns the fields of the event, without its times.
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
  /// Returns the days of a series' instances, or `nil` if the event is not a series.
  ///
  /// - Parameters:
  ///   - first: The first day. Defaults to the first day of the series.
  ///   - last: The last day.
  ///   - limit: The maximum number of days.
  func dates(from first: CivilDate? = nil, through last: CivilDate, limit: Int = .max) -> [CivilDate]? {
    rule.flatMap { start.dates($0, from: first, through: last, limit: limit) }
  }
}

extension Moment {
  /// Returns the days on which a series with this start and a rule recurs, or `nil` if the rule is invalid.
  func dates(
    _ rule: String, from first: CivilDate? = nil, through last: CivilDate, limit: Int = .max
  ) -> [CivilDate]? {
    guard let rule = try? RecurrenceRule(rule), var series = try? RecurrenceSet(start: seriesTime, rules: [rule])
    else { return nil }
    series.includesStart = false
    return series.occurrences(from: first ?? date, to: last.adding(days: 1)).prefix(limit).map(\.date)
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
