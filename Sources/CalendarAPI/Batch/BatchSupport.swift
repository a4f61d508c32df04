// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The bodies of a method that the server accepts in a batch.
enum BatchSupport: Sendable {
  /// Any body, or none.
  case anyBody
  /// All events but those that write a working location.
  case exceptWorkingLocations
}

extension BatchSupport {
  /// Whether a request with a body can be sent in a batch.
  func includes(_ body: CalendarRequestBody) -> Bool {
    switch self {
    case .anyBody: return true
    case .exceptWorkingLocations:
      guard case .json(let json) = body, let event = try? JSONValue(json: json) else { return true }
      return !event.writesWorkingLocation
    }
  }
}

extension JSONValue {
  fileprivate var writesWorkingLocation: Bool {
    self["eventType"]?.string == Event.EventType.workingLocation.rawValue
      || self["workingLocationProperties"]?.object != nil
  }
}
