// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

/// A user's call of a method, after the checks that need no calendar.
struct CalendarCall: Sendable {
  let method: CalendarMethod
  /// The parameters of the path.
  let path: [String: String]
  let parameters: CallParameters
  /// The body, without read-only fields.
  var body: [String: JSONValue]
  let ifMatch: String?
  /// The e-mail address of the user.
  let user: String
  let clientID: String
  /// The granted scopes accepted by the method, without Google's prefix.
  let scopes: Set<String>
  let now: Timestamp
  /// The origin of the request, for the URLs of resources.
  let origin: String
  /// Whether the call is part of a batch.
  var isInBatch = false

  /// Returns a path parameter of the route.
  func path(_ name: String) -> String { path[name] ?? "" }

  /// Throws unless the entity tag matches the call's `If-Match`.
  func requireMatch(_ etag: String) throws(APIFault) {
    guard let ifMatch, ifMatch != "*" else { return }
    let tags = ifMatch.split(separator: ",").map { $0.drop { $0 == " " } }
    // RFC 9110 § 13.1.1. Google accepts weak tags.
    guard tags.contains(where: { $0 == etag || $0 == "W/\(etag)" }) else { throw .conditionNotMet }
  }

  /// Throws if the call is in a batch and the event's type is not supported there.
  func requireBatchSupport(_ eventType: String?) throws(APIFault) {
    guard isInBatch, eventType == "workingLocation" else { return }
    throw APIFault(
      status: 400, reason: "badRequest", message: "A batch cannot write events of the type workingLocation.")
  }
}

/// The outcome of a call: a resource or no content.
enum CallOutcome: Sendable {
  case nothing
  case resource([String: JSONValue])

  static func resource(of members: [String: JSONValue?]) -> CallOutcome { .resource(members.compactMapValues(\.self)) }
}
