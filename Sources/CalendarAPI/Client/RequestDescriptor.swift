// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthScope

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

/// A set of the Calendar API's scopes, with one bit for each, because a request contains one.
struct ScopeSet: OptionSet, Sendable {
  let rawValue: UInt32

  /// The scopes in the order of ``Scope/ofCalendarAPI``.
  var scopes: [Scope] {
    Scope.ofCalendarAPI.enumerated().filter { contains(Self(rawValue: 1 << $0.offset)) }.map(\.element)
  }
}
