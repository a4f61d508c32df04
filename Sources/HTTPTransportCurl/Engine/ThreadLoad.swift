// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The load of one of a transport's threads, which any thread can read and change.
package struct ThreadLoad: ~Copyable, Sendable {
  /// The load at one instant.
  package struct Reading {
    /// The exchanges that are running, or about to start.
    package let exchanges: Int
    /// The streamed exchanges among them: each occupies a connection until its reader finishes.
    package let streams: Int
    /// The waiting jobs.
    package let jobs: Int
    /// The maximum number of connections to a host for the thread.
    fileprivate let connections: Int

    /// Whether another exchange would wait for one of the thread's exchanges to end, if all have the same host.
    package var isFull: Bool { exchanges >= connections }

    /// Returns a measure of the wait for new work, for comparing threads.
    package func wait(isExchange: Bool) -> Int {
      // The reader of a stream may never finish, and may even wait for the exchange.
      let penalty = streams >= connections ? 1 << 40 : isFull ? 1 << 20 : 0
      return exchanges + jobs + (isExchange ? penalty : 0)
    }
  }

  private let connections: Int
  private let exchanges = Atomic(0)
  private let streams = Atomic(0)
  private let jobs = Atomic(0)

  /// - Parameter connections: The maximum number of connections to a host for the thread.
  package init(connections: Int) { self.connections = connections }

  package var reading: Reading {
    Reading(
      exchanges: exchanges.load(ordering: .relaxed), streams: streams.load(ordering: .relaxed),
      jobs: jobs.load(ordering: .relaxed), connections: connections)
  }

  /// Adds an exchange, if the number of exchanges is still that of `reading`.
  ///
  /// Two callers that choose at the same time must not both count on a thread's last connection.
  ///
  /// - Returns: Whether the exchange was added.
  package func addExchange(isStreamed: Bool, to reading: Reading) -> Bool {
    let count = reading.exchanges
    guard exchanges.compareExchange(expected: count, desired: count + 1, ordering: .relaxed).exchanged else {
      return false
    }
    if isStreamed { streams.add(1, ordering: .relaxed) }
    return true
  }

  package func removeExchange(isStreamed: Bool) {
    exchanges.subtract(1, ordering: .relaxed)
    if isStreamed { streams.subtract(1, ordering: .relaxed) }
  }

  package func addJob() { jobs.add(1, ordering: .relaxed) }

  package func removeJob() { jobs.subtract(1, ordering: .relaxed) }
}
