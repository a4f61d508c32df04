// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

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
  /// The limits to check before the request is sent.
  let limits: RequestLimits
  /// The bodies that a batch can carry.
  let batch: BatchSupport
  /// The effect on the server if the response is lost, and the request that reads the resource afterwards.
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
