// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

/// A call of a method by a user, checked as far as that needs no calendar.
struct CalendarCall: Sendable {
  let method: CalendarMethod
  /// The parameters of the path.
  let path: [String: String]
  let parameters: CallParameters
  /// The body, without fields that cannot be written.
  var body: [String: JSONValue]
  let ifMatch: String?
  /// The e-mail address of the user.
  let user: String
  let clientID: String
  /// The scopes that were granted and that the method accepts, without Google's prefix.
  let scopes: Set<String>
  let now: Timestamp
  /// The origin that the request came to, for the URLs of resources.
  let origin: String
  /// Whether it came in a batch.
  var isInBatch = false

  /// A parameter of the path, which the route has.
  func path(_ name: String) -> String { path[name] ?? "" }

  /// Refuses the call unless a resource is as the client has last seen it.
  func requireMatch(_ etag: String) throws(APIFault) {
    guard let ifMatch, ifMatch != "*" else { return }
    let tags = ifMatch.split(separator: ",").map { $0.drop { $0 == " " } }
    // RFC 9110 § 13.1.1. Google ignores the mark of a weak tag.
    guard tags.contains(where: { $0 == etag || $0 == "W/\(etag)" }) else { throw .conditionNotMet }
  }

  /// Refuses to write an event of a type that batches do not support.
  func requireBatchSupport(_ eventType: String?) throws(APIFault) {
    guard isInBatch, eventType == "workingLocation" else { return }
    throw APIFault(
      status: 400, reason: "badRequest", message: "A batch cannot write events of the type workingLocation.")
  }
}

/// The outcome of a call: a resource, or nothing.
enum CallOutcome: Sendable {
  case nothing
  case resource([String: JSONValue])

  static func resource(of members: [String: JSONValue?]) -> CallOutcome { .resource(members.compactMapValues(\.self)) }
}
