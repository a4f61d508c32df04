// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// The checked fields written by a call to an event.
struct EventDraft: Sendable {
  private(set) var fields: [String: JSONValue]
  let start: EventTime
  let end: EventTime
  private(set) var series: EventSeries?
  let sequence: Int?

  /// Reads the body of a call.
  ///
  /// - Parameters:
  ///   - former: The event to change, or `nil` for a new one.
  ///   - replacing: Whether omitted fields are cleared.
  init(
    _ call: CalendarCall, changing former: StoredEvent?, replacing: Bool, in calendar: StoredCalendar
  ) throws(APIFault) {
    var body = call.body
    let sequence = body.removeValue(forKey: "sequence")?.number?.integer
    for name in Self.separate { body[name] = nil }
    Self.ignoreUnsupported(&body, call.parameters)
    var base: [String: JSONValue] = [:]
    if let former {
      for name in Self.immutable { body[name] = nil }
      base = former.timedFields(in: calendar.zone)
      if replacing {
        let kept = Self.immutable + Self.kept(call.parameters)
        base = base.filter { kept.contains($0.key) }
      }
    }
    try self.init(
      checking: JSONValue.object(base).applying(mergePatch: .object(body)).object ?? [:], sequence, former, calendar)
  }

  private init(
    checking fields: [String: JSONValue], _ sequence: Int?, _ former: StoredEvent?, _ calendar: StoredCalendar
  ) throws(APIFault) {
    self.fields = fields
    self.sequence = sequence
    let lines = (fields["recurrence"]?.array ?? []).compactMap(\.string)
    start = try EventTime(fields["start"], "start", isSeries: !lines.isEmpty, in: calendar.zone)
    end = try EventTime(fields["end"], "end", isSeries: !lines.isEmpty, in: calendar.zone)
    guard start.isDay == end.isDay else {
      throw .invalid("Start and end times must either both be date or both be dateTime.")
    }
    let (first, last) = (start.instant(in: .utc), end.instant(in: .utc))
    guard start.isDay ? first < last : first <= last else { throw .timeRangeEmpty }
    if lines.isEmpty { self.fields["recurrence"] = nil }
    if !lines.isEmpty {
      guard former?.exception == nil else { throw .invalid("An instance of a recurring event cannot recur.") }
      series = try EventSeries(start: start, end: end, lines: lines)
    }
    if let sequence, let former, sequence < former.sequence {
      throw .invalid(
        "Invalid sequence value. The specified sequence number is below the current sequence number of the resource. "
          + "Re-fetch the resource and use its sequence number on the following request.")
    }
    try EventRules.apply(to: &self.fields, start: start, end: end, in: calendar)
    self.fields["start"] = nil
    self.fields["end"] = nil
  }

  /// The fields stored separately or set by the server.
  private static let separate = ["id", "recurringEventId", "originalStartTime", "htmlLink", "attendeesOmitted"]
  /// The fields that an update never changes.
  private static let immutable = ["iCalUID", "creator", "organizer", "eventType", "birthdayProperties", "privateCopy"]

  /// The fields that require a parameter.
  ///
  /// Without the parameter, a call neither writes nor clears these fields. Older clients therefore keep them.
  private static let versioned = [
    ("conferenceData", "conferenceDataVersion", "1"), ("attachments", "supportsAttachments", "true"),
    ("eventLabelId", "eventLabelVersion", "1"),
  ]

  private static func ignoreUnsupported(_ body: inout [String: JSONValue], _ parameters: CallParameters) {
    for (name, parameter, value) in versioned where parameters[parameter] != value { body[name] = nil }
    if parameters["eventLabelVersion"] == "1" { body["colorId"] = nil }
  }

  /// Returns the fields that an update does not clear if they are omitted.
  private static func kept(_ parameters: CallParameters) -> [String] {
    versioned.filter { parameters[$0.1] != $0.2 }.map(\.0) + ["hangoutLink"]
  }
}

extension StoredEvent {
  /// Returns the fields with start and end, for merging a patch.
  fileprivate func timedFields(in zone: Zone) -> [String: JSONValue] {
    var result = fields
    result["start"] = start.json(shownIn: zone)
    result["end"] = end.json(shownIn: zone)
    return result
  }
}
