// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The facts about a request that decide how the client checks, sends and retries it.
///
/// The generator writes them into each request, from `API/calendar_v3.json`. The client chooses its behavior by these
/// properties and never by the name of the method.
struct RequestDescriptor: Sendable {
  /// The name of the API's method, such as `events.insert`.
  let name: String
  /// The HTTP method.
  let method: HTTPMethod
  /// Whether the request may be sent again although it may have been carried out.
  let isRepeatable: Bool
  /// The limits that the request is checked against before it is sent.
  let limits: RequestLimits
  /// The bodies that a batch can carry.
  let batch: BatchSupport
  /// The effect on the server: what a lost response may have done, and the request that reads the resource afterwards.
  let effect: RequestEffect

  init(
    _ name: String, _ method: HTTPMethod, isRepeatable: Bool, limits: RequestLimits = .none,
    batch: BatchSupport = .anyBody, effect: RequestEffect = .reads
  ) {
    self.name = name
    self.method = method
    self.isRepeatable = isRepeatable
    self.limits = limits
    self.batch = batch
    self.effect = effect
  }
}
