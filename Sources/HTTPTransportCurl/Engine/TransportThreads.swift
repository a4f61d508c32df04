// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// The threads of a transport, which share its exchanges and form one task executor.
///
/// The connections of a libcurl handle belong to one thread, so each thread has its own. The limits on connections are divided
/// among the threads. Exchanges and tasks stay with one thread for as long as possible: a task that has received its response
/// on a thread continues there, and sends its next request from there.
final class TransportThreads: TaskExecutor {
  /// The load by which a thread may exceed another before new work moves to the other.
  private static let tolerance = 2

  private let threads: [TransportThread]

  init(limits: TransportLimits, count: Int) {
    // Each thread has at least one connection.
    let count = max(1, min(count, limits.connectionsPerHost, limits.connections))
    threads = (0..<count).map { TransportThread(limits: limits.part($0, of: count)) }
  }

  /// Returns the thread for an exchange, adds the exchange to its load, and starts the thread if necessary.
  ///
  /// - Throws: `TransportError` if the process has no memory, threads or descriptors left.
  func thread(isStreamed: Bool) throws(TransportError) -> TransportThread {
    while true {
      let (thread, load) = next(forExchange: true)
      try thread.start(in: self)
      if thread.load.addExchange(isStreamed: isStreamed, to: load) { return thread }
    }
  }

  /// Runs a job on one of the threads, or on the global executor if that thread has ended or cannot be started.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (thread, _) = next(forExchange: false)
    try? thread.start(in: self)
    if !thread.add(job) { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }

  /// Ends the threads and their transfers.
  func stop() {
    for thread in threads { thread.stop() }
  }

  /// Returns the thread for new work: the caller's own if its load is not much larger than another's, otherwise the one with
  /// the least load.
  ///
  /// If several have the least load, it is the first, so a caller that sends one request after another stays with one thread.
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
