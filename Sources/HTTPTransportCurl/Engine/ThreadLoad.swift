// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How much one of a transport's threads has to do, for any thread to read and change.
struct ThreadLoad: ~Copyable, Sendable {
  /// The load at one time.
  struct Reading {
    /// The exchanges that are under way, or about to be.
    let exchanges: Int
    /// Those of them that are streamed: each has a connection to itself for as long as its reader takes.
    let streams: Int
    /// The jobs that wait.
    let jobs: Int
    /// How many connections to a host the thread may have.
    fileprivate let connections: Int

    /// Whether another exchange would wait for the end of one that the thread has, if all are with the same host.
    var isFull: Bool { exchanges >= connections }

    /// How long something that is added now would have to wait, beside other threads.
    func wait(isExchange: Bool) -> Int {
      // The reader of a stream may take for ever, and even wait for the exchange.
      let penalty = streams >= connections ? 1 << 40 : isFull ? 1 << 20 : 0
      return exchanges + jobs + (isExchange ? penalty : 0)
    }
  }

  private let connections: Int
  private let exchanges = Atomic(0)
  private let streams = Atomic(0)
  private let jobs = Atomic(0)

  /// - Parameter connections: How many connections to a host the thread may have.
  init(connections: Int) { self.connections = connections }

  var reading: Reading {
    Reading(
      exchanges: exchanges.load(ordering: .relaxed), streams: streams.load(ordering: .relaxed),
      jobs: jobs.load(ordering: .relaxed), connections: connections)
  }

  /// Adds an exchange, unless there are others than at the time of `reading`: two that choose at the same time must not both
  /// count on the last connection of a thread.
  ///
  /// - Returns: Whether the exchange was added.
  func addExchange(isStreamed: Bool, to reading: Reading) -> Bool {
    let count = reading.exchanges
    guard exchanges.compareExchange(expected: count, desired: count + 1, ordering: .relaxed).exchanged else {
      return false
    }
    if isStreamed { streams.add(1, ordering: .relaxed) }
    return true
  }

  func removeExchange(isStreamed: Bool) {
    exchanges.subtract(1, ordering: .relaxed)
    if isStreamed { streams.subtract(1, ordering: .relaxed) }
  }

  func addJob() { jobs.add(1, ordering: .relaxed) }

  func removeJob() { jobs.subtract(1, ordering: .relaxed) }
}
