// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import JSONCoding

// What the commands that change events say and send.
extension Event {
  /// The title in quotation marks, or the identifier.
  var named: String { summary.map { "\"\($0)\"" } ?? id ?? "(no title)" }

  /// What to know before the event is changed or deleted.
  func warnings(_ updates: SendUpdates) -> [String] {
    var warnings: [String] = []
    if recurrence?.isEmpty == false { warnings.append("It is a series: all of its events are affected.") }
    if recurringEventId != nil { warnings.append("It is one event of a series: the others stay as they are.") }
    let guests = attendees?.count { $0.isSelf != true && $0.resource != true } ?? 0
    if guests > 0 || attendeesOmitted == true {
      warnings.append("Guests who are notified: \(updates.inWords(of: guests)).")
    }
    return warnings
  }
}

extension SendUpdates {
  fileprivate func inWords(of guests: Int) -> String {
    switch self {
    case .all: "all \(guests)"
    case .externalOnly: "those of \(guests) who do not use Google Calendar"
    default: "none of \(guests) (see --send-updates)"
    }
  }
}

extension JSONValue {
  /// The parameters without which the server ignores fields of an event's JSON.
  var eventVersions: (conferenceDataVersion: Int?, eventLabelVersion: Int?, supportsAttachments: Bool?) {
    (
      self["conferenceData"] == nil ? nil : 1, self["eventLabelId"] == nil ? nil : 1,
      self["attachments"] == nil ? nil : true
    )
  }

  /// The parameter without which the server ignores the colours in the JSON of an entry of the calendar list.
  var colorRgbFormat: Bool? { self["backgroundColor"] == nil && self["foregroundColor"] == nil ? nil : true }
}

extension Context {
  /// The event that the argument names.
  ///
  /// - Throws: `CalendarError`, with code `deleted` for one that is deleted.
  func event(_ client: CalendarClient) async throws -> Event {
    let event = try await client.events.get(calendarId: calendarID, eventId: arguments.positional[0])
    if event.status == .cancelled {
      throw CalendarError(.deleted, "The event is deleted already.")
    }
    return event
  }
}
