// SPDX-License-Identifier: Apache-2.0

/// The state of a call's attempts, which the layers that retry pass to each other.
///
/// Down the layers it travels in the request, up again in the response. It is no part of the identity of either: all values are
/// equal, and have the same hash.
package struct CallAttempts: Sendable, Hashable {
  /// Whether a layer above decides about further attempts.
  ///
  /// Layers below it that retry then send the request once.
  package var areDecidedAbove = false
  /// The number of failed attempts before the current one.
  package var failed = 0
  /// Whether one of the failed attempts may have been carried out.
  package var mayHaveSucceeded = false

  /// Creates the state of a call's first attempt.
  package init() {}

  package static func == (_: Self, _: Self) -> Bool { true }

  package func hash(into _: inout Hasher) {}
}

extension HTTPRequest {
  /// Makes the request a repeat of the attempt that `response` ended, such as one with a new access token.
  ///
  /// A repeat is not an attempt: the failed ones before it stay counted, and no others.
  package mutating func repeatAttempt(of response: HTTPResponse) {
    attempts.failed = max(attempts.failed, response.attempts.failed)
    attempts.mayHaveSucceeded = attempts.mayHaveSucceeded || response.attempts.mayHaveSucceeded
  }
}
