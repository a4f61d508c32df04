// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import Timekeeping

/// The effect of a request on the server, which determines the consequences of a lost response.
struct RequestEffect: Sendable {
  /// The effect of a second request after the first one was carried out.
  enum Repetition: Sendable {
    /// No effect: the request only reads.
    case reads
    /// No further effect: the request sets the same state again, or the server rejects it.
    case sets
    /// Another resource or another notification.
    case adds
  }

  let repetition: Repetition
  /// The identifier of the written resource, or `nil` if the server chooses it.
  let identifier: String?
  /// Creates the request that reads the resource, or `nil` if none can.
  ///
  /// The parameter is a time before the resource was written.
  let lookup: (@Sendable (Timestamp) -> CalendarRequest<JSONValue>)?

  /// A request without changes.
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
  /// The same request with its response as JSON.
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
