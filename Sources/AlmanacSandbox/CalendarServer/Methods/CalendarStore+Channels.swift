// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import Timekeeping

// Channels for push notifications ([guide](https://developers.google.com/workspace/calendar/api/guides/push)).
extension CalendarStore {
  mutating func watchRules(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let calendar = calendars[try access(call, least: .owner).slot]
    return try open(.acl(calendar.id), "calendars/\(calendar.id.pathSegment)/acl", call)
  }

  mutating func watchEntries(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    try open(.calendarList(call.user), "users/me/calendarList", call)
  }

  mutating func watchEvents(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let calendar = calendars[try access(call).slot]
    return try open(.events(calendar.id), "calendars/\(calendar.id.pathSegment)/events", call)
  }

  mutating func watchSettings(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    try open(.settings(call.user), "users/me/settings", call)
  }

  mutating func stopChannel(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    guard let id = call.body["id"]?.string, let resourceID = call.body["resourceId"]?.string else {
      throw .required("Missing channel or resource identifier.")
    }
    guard channels.close(id: id, resourceID: resourceID, user: call.user, clientID: call.clientID) else {
      throw APIFault(
        status: 404, reason: "notFound", message: "Channel '\(id)' not found for project '\(call.clientID)'")
    }
    return .nothing
  }

  private mutating func open(
    _ resource: WatchedResource, _ path: String, _ call: CalendarCall
  ) throws(APIFault) -> CallOutcome {
    guard let id = call.body["id"]?.string, !id.isEmpty else { throw .required("Missing channel identifier.") }
    guard id.utf8.count <= 64, id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .invalid("Invalid channel identifier.")
    }
    let token = call.body["token"]?.string
    guard (token ?? "").utf8.count <= 256 else { throw .invalid("The channel token is too long.") }
    guard ["web_hook", "webhook"].contains(call.body["type"]?.string) else {
      throw .invalid("Unknown channel type.")
    }
    guard let address = call.body["address"]?.string, let origin = Origin(address),
      origin.isSecure
    else {
      throw APIFault(
        status: 400, reason: "push.webhookUrlNotHttps",
        message: "WebHook callback must be HTTPS: \(call.body["address"]?.string ?? "")")
    }
    // Not measured: the default of a week has one secondary source, and the limit of 30 days none.
    let longest = call.now + .seconds(30 * 86_400)
    let seconds = call.body["params"]?["ttl"]?.string.flatMap { Int64($0) } ?? 604_800
    let asked = call.body["expiration"]?.string.flatMap { Int64($0) }.map {
      Timestamp(secondsSince1970: $0 / 1000)
    }
    let expires = min(asked ?? call.now + .seconds(max(seconds, 1)), longest)
    guard expires > call.now else { throw .invalid("Invalid channel expiration.") }
    let uri = "\(call.origin)/calendar/v3/\(path)?alt=json"
    let resourceID = StoredEvent.id(for: "\(call.user) \(resource)")
    let channel = NotificationChannel(
      id: id, address: address, token: token, expires: expires, resource: resource, resourceID: resourceID,
      resourceURI: uri, user: call.user, clientID: call.clientID)
    guard channels.open(channel, now: call.now) else {
      throw APIFault(status: 400, reason: "channelIdNotUnique", message: "Channel id \(id) not unique")
    }
    return .resource(of: [
      "kind": "api#channel", "id": .string(id), "resourceId": .string(resourceID),
      "resourceUri": .string(uri),
      "token": token.map { .string($0) }, "expiration": .string(String(expires.secondsSince1970 * 1000)),
    ])
  }
}

extension String {
  /// The text as a path segment.
  fileprivate var pathSegment: String { FormEncoding.pathSegment(self) ?? "" }
}
