// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  /// The descriptors that an event loop waits for.
  package typealias ReadinessSet = PollSet
#else
  /// The descriptors that an event loop waits for.
  package typealias ReadinessSet = EpollSet
#endif

/// What a descriptor is to be ready for, or is ready for.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates an empty set.
  ///
  /// It is equal to `[]`, whose initializer loops over an array.
  package init() { rawValue = 0 }

  /// There is something to read, be it the end.
  package static let reading = Readiness(rawValue: 1)
  /// Bytes can be written.
  package static let writing = Readiness(rawValue: 2)
  /// There is an error.
  ///
  /// Every descriptor is watched for it.
  package static let failing = Readiness(rawValue: 4)
}

/// A watched descriptor that is ready.
package struct ReadyDescriptor: Sendable {
  /// What the descriptor was called when it was added.
  package let id: Int
  /// What it is ready for.
  package let readiness: Readiness
}
