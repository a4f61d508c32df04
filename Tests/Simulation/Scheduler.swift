// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The thread, the time and the random numbers of a simulation.
///
/// It runs every job of the process in the order in which the jobs became ready, and advances the time only if no job is ready. A seed
/// therefore always gives the same history.
final class Scheduler: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var next = 0
    var now = Duration.zero
    var timers: [(end: Duration, wait: SingleWait<Void>)] = []
    var numbers: SeededNumbers
    var isStopped = false
  }

  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  private static let current = Mutex<Scheduler?>(nil)
  private let state: Mutex<State>

  init(seed: UInt64) { state = Mutex(State(numbers: SeededNumbers(seed: seed))) }

  var now: Duration { state.withLock(\.now) }

  func random(_ range: ClosedRange<Double>) -> Double {
    state.withLock { Double.random(in: range, using: &$0.numbers) }
  }

  func seconds(_ range: ClosedRange<Double>) -> Duration { .milliseconds(Int(random(range) * 1000)) }

  func happens(_ probability: Double) -> Bool { random(0...1) < probability }

  func number(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.numbers) } }

  func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

  private func add(_ job: UnownedJob) { state.withLock { $0.jobs.append(job) } }

  /// Sleeps until a time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled or the simulation has ended.
  func sleep(until end: Duration) async throws {
    let wait = SingleWait<Void>()
    let isStopped = state.withLock { state in
      guard !state.isStopped else { return true }
      let place = state.timers.firstIndex { $0.end > end } ?? state.timers.endIndex
      state.timers.insert((end, wait), at: place)
      return false
    }
    if isStopped { throw CancellationError() }
    try await wait.value()
  }

  func sleep(for time: Duration) async throws { try await sleep(until: now + time) }

  /// Runs the tasks that `start` creates, until a time, and ends those that remain.
  func run(until end: Duration, _ start: () -> Void) {
    // Safe: the runtime's hook has this type, and no other thread creates tasks meanwhile.
    guard let symbol = unsafe dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else { return }
    let hook = unsafe symbol.assumingMemoryBound(to: Hook?.self)
    Self.current.withLock { $0 = self }
    unsafe hook.pointee = { job, _ in Scheduler.current.withLock(\.self)?.add(job) }
    defer {
      unsafe hook.pointee = nil
      Self.current.withLock { $0 = nil }
    }
    start()
    runJobs()
    while let timer = nextTimer(until: end) {
      timer.end(.success(()))
      runJobs()
    }
    let remaining = state.withLock { state in
      state.isStopped = true
      return state.timers
    }
    for timer in remaining { timer.wait.end(.failure(CancellationError())) }
    runJobs()
  }

  private func runJobs() {
    while let job = nextJob() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func nextJob() -> UnownedJob? {
    state.withLock { state in
      guard state.next < state.jobs.count else {
        state.jobs.removeAll(keepingCapacity: true)
        state.next = 0
        return nil
      }
      defer { state.next += 1 }
      return state.jobs[state.next]
    }
  }

  private func nextTimer(until end: Duration) -> SingleWait<Void>? {
    state.withLock { state in
      guard let first = state.timers.first, first.end <= end else { return nil }
      state.timers.removeFirst()
      state.now = max(state.now, first.end)
      return first.wait
    }
  }
}
