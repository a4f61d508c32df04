// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import Recurrence
import Synchronization
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Sandbox {
  /// `calendars.insert`
  /// ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/calendars/insert)).
  func insertCalendar(_ request: HTTPRequest) throws(APIFault) -> JSONValue {
    let properties = try CalendarProperties(of: request)
    let now = clock.now
    return try changingLibrary { library throws(APIFault) in
      var calendar = library.newCalendar(now: now)
      try properties.apply(to: &calendar, replacing: true, defaultZone: library.zone)
      return library.store(calendar, now: now).resource
    }
  }

  /// `calendars.update`, which replaces every property, and `calendars.patch`, which changes those that are sent
  /// ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/calendars/patch)).
  func changeCalendar(_ id: String, _ request: HTTPRequest, replacing: Bool) throws(APIFault) -> JSONValue {
    let properties = try CalendarProperties(of: request)
    let now = clock.now
    return try changingLibrary { library throws(APIFault) in
      var calendar = try library.ownedCalendar(id, if: request.fields["If-Match"])
      try properties.apply(to: &calendar, replacing: replacing, defaultZone: library.zone)
      return library.store(calendar, now: now).resource
    }
  }

  /// `calendars.delete`
  /// ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/calendars/delete)).
  func deleteCalendar(_ id: String, _ request: HTTPRequest) throws(APIFault) {
    let now = clock.now
    try changingLibrary { library throws(APIFault) in
      var calendar = try library.ownedCalendar(id, if: request.fields["If-Match"])
      guard !calendar.isPrimary else {
        throw APIFault(
          status: 403, reason: "cannotDeletePrimaryCalendar", message: "The primary calendar cannot be deleted.",
          domain: "calendar")
      }
      calendar.isDeleted = true
      _ = library.store(calendar, now: now)
    }
  }

  private func changingLibrary<Outcome: Sendable>(
    _ change: (inout CalendarLibrary) throws(APIFault) -> Outcome
  ) throws(APIFault) -> Outcome {
    let result = state.withLock { state in
      Result { () throws(APIFault) in try change(&state.library) }
    }
    return try result.get()
  }
}

extension CalendarLibrary {
  /// A calendar that the user may change, as it was when the request was made.
  fileprivate func ownedCalendar(_ id: String, if etag: String?) throws(APIFault) -> SampleCalendar {
    guard let calendar = calendar(id), !calendar.isDeleted else { throw .notFound }
    guard calendar.role == .owner else {
      throw APIFault(
        status: 403, reason: "requiredAccessLevel", message: "You need to be the owner of this calendar.",
        domain: "calendar")
    }
    guard etag == nil || etag == "*" || etag == calendar.etag else {
      throw APIFault(
        status: 412, reason: "conditionNotMet", message: "Precondition Failed", location: ("header", "If-Match"))
    }
    return calendar
  }
}

/// What a request writes of a calendar.
///
/// Of each property: `nil` if it is not there, else its value or `null`.
private struct CalendarProperties: Decodable {
  let summary: String??
  let description: String??
  let location: String??
  let timeZone: String??

  enum CodingKeys: String, CodingKey {
    case summary, description, location, timeZone
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func property(_ key: CodingKeys) throws -> String?? {
      container.contains(key) ? .some(try container.decodeIfPresent(String.self, forKey: key)) : nil
    }
    summary = try property(.summary)
    description = try property(.description)
    location = try property(.location)
    timeZone = try property(.timeZone)
  }

  init(of request: HTTPRequest) throws(APIFault) {
    let type = request.fields["Content-Type"]?.split(separator: ";").first?.lowercasedASCII
    guard type == "application/json",
      let properties = try? JSONDecoder().decode(Self.self, from: Data(request.body ?? []))
    else {
      throw APIFault(status: 400, reason: "parseError", message: "The content is not a calendar in JSON.")
    }
    self = properties
  }

  /// - Parameter replacing: Whether a property that is not there is cleared.
  func apply(to calendar: inout SampleCalendar, replacing: Bool, defaultZone: Zone) throws(APIFault) {
    if replacing || summary != nil {
      guard let text = summary.flatMap(\.self), !text.isEmpty else {
        throw APIFault(status: 400, reason: "required", message: "The summary is missing.")
      }
      calendar.summary = text
    }
    if replacing || description != nil { calendar.description = description.flatMap(\.self) }
    if replacing || location != nil { calendar.location = location.flatMap(\.self) }
    if replacing || timeZone != nil {
      guard let zone = timeZone.flatMap(\.self).map({ Zone.named($0) }) ?? defaultZone else {
        throw APIFault(status: 400, reason: "invalid", message: "The sandbox does not know this time zone.")
      }
      calendar.zone = zone
    }
  }
}
