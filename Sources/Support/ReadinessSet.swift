// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  /// The watched descriptors of an event loop.
  package typealias ReadinessSet = PollSet
#else
  /// The watched descriptors of an event loop.
  package typealias ReadinessSet = EpollSet
#endif

/// The readiness of a descriptor, as watched or as reported.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates an empty set.
  ///
  /// It is equal to `[]`, whose initializer loops over an array.
  package init() { rawValue = 0 }

  /// There is something to read, including the end.
  package static let reading = Readiness(rawValue: 1)
  /// Bytes can be written.
  package static let writing = Readiness(rawValue: 2)
  /// There is an error.
  ///
  /// It is reported for every watched descriptor.
  package static let failing = Readiness(rawValue: 4)
}

/// A ready descriptor of a set.
package struct ReadyDescriptor: Sendable {
  /// The identifier the descriptor was added with.
  package let id: Int
  /// The readiness of the descriptor.
  package let readiness: Readiness
}

extension Duration {
  /// The time in milliseconds for a wait that does not end before it: rounded up, and at least zero.
  package var millisecondsToWait: Int32 {
    let (seconds, attoseconds) = min(max(self, .zero), .milliseconds(Int32.max)).components
    let perMillisecond: Int64 = 1_000_000_000_000_000
    return Int32(clamping: seconds * 1000 + (attoseconds + perMillisecond - 1) / perMillisecond)
  }
}
