// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthScope
import Timekeeping

/// The properties of a request that determine how the client checks, sends and retries it.
///
/// The generator writes them into each request, from `Tools/API/calendar_v3.json`. The client's behaviour depends on these
/// properties and never on the name of the method.
struct RequestDescriptor: Sendable {
  /// The name of the API's method, such as `events.insert`.
  let name: String
  /// The HTTP method.
  let method: HTTPMethod
  /// Whether the request may be retried although an earlier attempt may have been carried out.
  let isRepeatable: Bool
  /// The method's accepted scopes.
  let scopes: ScopeSet
  /// The limits to check before the request is sent.
  let limits: RequestLimits
  /// The bodies allowed in a batch.
  let batch: BatchSupport
  /// The effect on the server if the response is lost, and the request that reads the resource afterwards.
  let effect: RequestEffect

  init(
    _ name: String, _ method: HTTPMethod, isRepeatable: Bool, scopes: ScopeSet,
    limits: RequestLimits = .none, batch: BatchSupport = .anyBody, effect: RequestEffect = .reads
  ) {
    self.name = name
    self.method = method
    self.isRepeatable = isRepeatable
    self.scopes = scopes
    self.limits = limits
    self.batch = batch
    self.effect = effect
  }
}

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

/// A set of the Calendar API's scopes, with one bit for each, because a request contains one.
struct ScopeSet: OptionSet, Sendable {
  let rawValue: UInt32

  /// The scopes in the order of ``Scope/ofCalendarAPI``.
  var scopes: [Scope] {
    Scope.ofCalendarAPI.enumerated().filter { contains(Self(rawValue: 1 << $0.offset)) }.map(\.element)
  }
}
