// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport
import Support
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A transport's thread as seen by the rest of the program: it executes commands about transfers, and runs tasks that prefer
/// its executor.
///
/// A task on the thread submits its commands without a lock, and continues without a context switch when its response has
/// arrived. The thread starts with the first command or job. Jobs that remain when it ends run on the global executor, so no
/// task is ever stuck.
final class TransportThread: Sendable {
  enum Command {
    case start(Exchange)
    case end(Exchange)
    case goOn(Exchange)
  }

  /// The work of the thread.
  struct Work {
    var commands: [Command] = []
    var jobs: [UnownedJob] = []
    /// Whether the thread has run jobs since it slept.
    var hasRunJobs = false

    var isEmpty: Bool { commands.isEmpty && jobs.isEmpty }

    mutating func append(_ other: Work) {
      commands += other.commands
      jobs += other.jobs
    }

    mutating func removeAll() {
      commands.removeAll(keepingCapacity: true)
      jobs.removeAll(keepingCapacity: true)
    }
  }

  private enum Phase {
    case notStarted
    case running(WakePipe)
    case ended
  }

  private struct State {
    var phase = Phase.notStarted
    var work = Work()
    var isAsleep = false
    var isStopping = false
  }

  private static let decisionsPerComparison = 16

  private let limits: TransportLimits
  private let state = Mutex(State())
  /// The number of the thread while it runs; 0 otherwise.
  private let number = Atomic<UInt>(0)
  /// The load of the thread.
  let load: ThreadLoad
  /// The watchdog that ends calls that block the thread.
  let watchdog = Watchdog()
  /// The work that the thread has added itself.
  ///
  /// Only code that has checked that it runs on the thread uses it.
  private let own = ThreadOwned(Work())
  /// The number of times that the thread has chosen where to start something.
  ///
  /// Safe: only `comparesLoad` uses it, and only the thread itself calls that.
  nonisolated(unsafe) private var decisions = 0
  /// The load when it was last compared with that of other threads.
  ///
  /// Safe: for the same reason as `decisions`.
  nonisolated(unsafe) private var comparedLoad = 0

  init(limits: TransportLimits) {
    self.limits = limits
    load = ThreadLoad(connections: min(limits.connectionsPerHost, limits.connections))
  }

  /// Returns whether the thread should compare its load with that of others before it starts something.
  ///
  /// It compares if its load has grown, and otherwise once in several times: reading what another thread writes is slow. Only
  /// the thread itself calls this method.
  func comparesLoad() -> Bool {
    let load = load.reading.wait(isExchange: false)
    unsafe decisions &+= 1
    guard unsafe load > comparedLoad || decisions % Self.decisionsPerComparison == 0 else { return false }
    unsafe comparedLoad = load
    return true
  }

  /// Whether the caller runs on the thread.
  ///
  /// The number belongs to a running thread, so no other thread has it.
  var isCurrent: Bool { number.load(ordering: .relaxed) == Self.currentNumber }

  private static var currentNumber: UInt {
    #if canImport(Glibc)
      pthread_self()
    #else
      unsafe UInt(bitPattern: pthread_self())
    #endif
  }
}

// MARK: Any thread

extension TransportThread {
  /// Starts the thread, unless it is running.
  ///
  /// - Parameter executor: The executor that the thread belongs to.
  /// - Throws: `TransportError` if the process has no memory, threads or descriptors left.
  func start(in executor: TransportThreads) throws(TransportError) {
    guard number.load(ordering: .relaxed) == 0 else { return }
    try state.withLock { state throws(TransportError) in
      guard case .notStarted = state.phase else { return }
      state.phase = .running(try TransferLoop.start(limits: limits, thread: self, executor: executor))
    }
  }

  /// Adds a command, and wakes the thread if it sleeps.
  func submit(_ command: Command) {
    if isCurrent {
      own.value.commands.append(command)
    } else if !add({ $0.commands.append(command) }), case .start(let exchange) = command {
      // The thread has ended, and has taken all earlier commands.
      load.removeExchange(isStreamed: exchange.isStreamed)
      exchange.complete(CURLE_OK, .stopped)
    }
  }

  /// Adds a job, and wakes the thread if it sleeps.
  ///
  /// - Returns: Whether the thread runs, and will run the job.
  func add(_ job: UnownedJob) -> Bool {
    if isCurrent {
      own.value.jobs.append(job)
    } else if !add({ $0.jobs.append(job) }) {
      return false
    }
    load.addJob()
    return true
  }

  /// Ends the thread and its transfers.
  func stop() {
    let pipe = state.withLock { state -> WakePipe? in
      state.isStopping = true
      guard case .running(let pipe) = state.phase else {
        state.phase = .ended
        return nil
      }
      return pipe
    }
    pipe?.wake()
  }

  /// - Returns: Whether the thread runs, and will see the addition.
  private func add(_ change: (inout Work) -> Void) -> Bool {
    let (isRunning, sleeper) = state.withLock { state -> (Bool, WakePipe?) in
      guard case .running(let pipe) = state.phase else { return (false, nil) }
      change(&state.work)
      defer { state.isAsleep = false }
      return (true, state.isAsleep ? pipe : nil)
    }
    sleeper?.wake()
    return isRunning
  }
}

// MARK: The thread itself

extension TransportThread {
  /// Notes that the caller is the thread.
  func begin() {
    watchdog.begin()
    number.store(Self.currentNumber, ordering: .relaxed)
  }

  /// Runs the pending jobs, and then moves the pending commands to `work`, which is empty.
  ///
  /// - Returns: Whether the thread should continue.
  func runJobs(into work: inout Work, on executor: UnownedTaskExecutor) -> Bool {
    let isStopping = state.withLock { state in
      swap(&state.work, &work)
      return state.isStopping
    }
    if !own.value.isEmpty {
      work.append(own.value)
      own.value.removeAll()
    }
    if !work.jobs.isEmpty { own.value.hasRunJobs = true }
    for job in work.jobs {
      unsafe job.runSynchronously(on: executor)
      // Not earlier, so that the work that the job starts sees the thread's actual load.
      load.removeJob()
    }
    work.jobs.removeAll(keepingCapacity: true)
    if !own.value.commands.isEmpty {
      work.commands += own.value.commands
      own.value.commands.removeAll(keepingCapacity: true)
    }
    return !isStopping
  }

  /// Whether the thread has run jobs since it slept.
  var hasRunJobs: Bool { own.value.hasRunJobs }

  /// Whether there is work.
  var hasWork: Bool { !own.value.isEmpty || state.withLock { !$0.work.isEmpty } }

  /// Notes that the thread is about to sleep.
  ///
  /// - Returns: Whether it may sleep, because there is no work.
  func beginSleep() -> Bool {
    guard own.value.isEmpty else { return false }
    return state.withLock { state in
      state.isAsleep = state.work.isEmpty && !state.isStopping
      return state.isAsleep
    }
  }

  func endSleep() {
    own.value.hasRunJobs = false
    state.withLock { $0.isAsleep = false }
  }

  /// Notes that the thread ends, and moves its tasks to the global executor.
  ///
  /// - Parameter rest: The work that the thread has taken and not done.
  /// - Returns: The exchanges whose transfers have not been started.
  func end(_ rest: Work) -> [Exchange] {
    var work = rest
    state.withLock { state in
      state.phase = .ended
      work.append(state.work)
      state.work = Work()
    }
    number.store(0, ordering: .relaxed)
    work.append(own.value)
    own.value = Work()
    for job in work.jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    return work.commands.compactMap { if case .start(let exchange) = $0 { exchange } else { nil } }
  }
}
