// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  /// The descriptors that an event loop waits for.
  typealias ReadinessSet = PollSet
#else
  /// The descriptors that an event loop waits for.
  typealias ReadinessSet = EpollSet
#endif

/// What a descriptor is to be ready for.
///
/// Errors and a lost peer count as ready.
package enum Readiness: Sendable {
  case reading
  case writing
}
