// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The threads of a transport, which share its exchanges and are one executor of tasks.
///
/// The connections of a libcurl handle belong to one thread, so each thread has connections of its own. The limits on connections are
/// divided among the threads. An exchange and a task stay with one thread for as long as they can: a task that has its
/// response on a thread goes on there, and sends its next request from there.
final class TransportThreads: TaskExecutor {
  /// How much more than another a thread may have to do before what it starts goes to that one.
  private static let tolerance = 2

  private let threads: [TransportThread]

  init(limits: TransportLimits, count: Int) {
    // Each has a connection at least.
    let count = max(1, min(count, limits.connectionsPerHost, limits.connections))
    threads = (0..<count).map { TransportThread(limits: limits.part($0, of: count)) }
  }

  /// Returns the thread for an exchange, which belongs to the thread's load from now on, and starts it if it does not run.
  ///
  /// - Throws: `TransportError` if the process has no memory, threads or descriptors left.
  func thread(isStreamed: Bool) throws(TransportError) -> TransportThread {
    while true {
      let (thread, load) = next(forExchange: true)
      try thread.start(in: self)
      if thread.load.addExchange(isStreamed: isStreamed, to: load) { return thread }
    }
  }

  /// Runs a job on one of the threads, or on the global executor if that one has ended or cannot be started.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (thread, _) = next(forExchange: false)
    try? thread.start(in: self)
    if !thread.add(job) { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }

  /// Ends the threads and the transfers that they have.
  func stop() {
    for thread in threads { thread.stop() }
  }

  /// The caller's own thread if it is one of these, and has not much more to do than another; otherwise the one with the least to
  /// do, and the first of several: who sends one request after the other stays with one thread.
  ///
  /// - Returns: The thread, and the load that it was chosen for.
  private func next(forExchange isExchange: Bool) -> (thread: TransportThread, load: ThreadLoad.Reading) {
    let own = threads.first { $0.isCurrent }
    if let own, !own.comparesLoad() {
      let load = own.load.reading
      if !isExchange || !load.isFull { return (own, load) }
    }
    var least = (thread: threads[0], load: threads[0].load.reading)
    for thread in threads.dropFirst() {
      let load = thread.load.reading
      if load.wait(isExchange: isExchange) < least.load.wait(isExchange: isExchange) { least = (thread, load) }
    }
    guard let own else { return least }
    let load = own.load.reading
    let isNear = load.wait(isExchange: isExchange) <= least.load.wait(isExchange: isExchange) + Self.tolerance
    return isNear ? (own, load) : least
  }
}

extension TransportLimits {
  /// The limits of one of `count` threads.
  fileprivate func part(_ index: Int, of count: Int) -> TransportLimits {
    var limits = self
    limits.connectionsPerHost = connectionsPerHost.part(index, of: count)
    limits.connections = connections.part(index, of: count)
    return limits
  }
}

extension Int {
  fileprivate func part(_ index: Int, of count: Int) -> Int { self / count + (index < self % count ? 1 : 0) }
}
