// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import Timekeeping

/// The effect of a request on the server, which decides what a lost response means.
struct RequestEffect: Sendable {
  /// The effect of a second request after the first one was carried out.
  enum Repetition: Sendable {
    /// None: the request only reads.
    case reads
    /// None: the request sets a state, which it has set before, or the server refuses it.
    case sets
    /// Another resource, or another notification.
    case adds
  }

  let repetition: Repetition
  /// The identifier of what the request writes; `nil` if the server chooses it.
  let identifier: String?
  /// Makes the request that reads what is there, for the time before which it was not; `nil` if nothing can be read.
  let lookup: (@Sendable (Timestamp) -> CalendarRequest<JSONValue>)?

  /// A request that changes nothing.
  static let reads = RequestEffect(repetition: .reads, identifier: nil, lookup: nil)

  static func sets(
    _ identifier: String?, lookup: (@Sendable (Timestamp) -> CalendarRequest<JSONValue>)? = nil
  ) -> RequestEffect {
    RequestEffect(repetition: .sets, identifier: identifier, lookup: lookup)
  }

  static func adds(
    _ identifier: String?, lookup: (@Sendable (Timestamp) -> CalendarRequest<JSONValue>)? = nil
  ) -> RequestEffect {
    RequestEffect(repetition: .adds, identifier: identifier, lookup: lookup)
  }
}

extension CalendarRequest {
  /// The same request with the JSON of its response.
  var content: CalendarRequest<JSONValue> {
    CalendarRequest<JSONValue>(descriptor, path, query, body, .none) { (response) throws(CalendarError) in
      do throws(JSONParseError) {
        return try JSONValue(json: response.body)
      } catch {
        throw CalendarError(malformed: error, status: response.status)
      }
    }
  }
}
