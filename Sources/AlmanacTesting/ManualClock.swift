// SPDX-License-Identifier: Apache-2.0

import Synchronization
public import Timekeeping

/// A clock that moves only when a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// clock.advance(by: .seconds(3600))       // tasks that sleep until then wake
/// ```
///
/// For code that waits by itself, such as a retry, use `ManualClock(skipsWaits: true)`. It advances to the end of every
/// wait immediately, so the test does not need to advance it concurrently.
///
/// The clock helps to find the cause of a stalled test. If a task sleeps for ten seconds of real time while the clock
/// does not move, the clock writes the remaining waits and the remedy to standard error. It also reports a
/// ``waitForSleepers(_:)`` still waiting after ten seconds. The description shows the waits at any time.
public final class ManualClock: WallClock {
  private struct Sleeper {
    let deadline: Deadline
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// The end of a sleep: a time, or the uptime after a duration, which setting the clock does not change.
  private enum Deadline {
    case time(Timestamp)
    case uptime(Duration)
  }

  /// A test that waits for sleeping tasks.
  private struct Arrival {
    let id: Int
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now: Timestamp
    var uptime = Duration.zero
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    var arrivals: [Arrival] = []

    mutating func makeID() -> Int {
      nextID += 1
      return nextID
    }

    /// Returns the time until a deadline, at least zero.
    func remainder(until deadline: Deadline) -> Duration {
      switch deadline {
      case .time(let time): max(time - now, .zero)
      case .uptime(let end): max(end - uptime, .zero)
      }
    }
  }

  private let state: Mutex<State>
  private let skipsWaits: Bool
  private let watch: StallWatch

  /// Creates a clock that shows `now`.
  ///
  /// - Parameters:
  ///   - now: The initial time. Defaults to 2026-01-01T00:00:00Z.
  ///   - skipsWaits: Whether a wait advances the clock to its end instead of sleeping until ``advance(by:)``. A time
  ///     limit for concurrent work then expires immediately, so do not set it for code that races work against a time
  ///     limit. Defaults to `false`.
  public convenience init(now: Timestamp = Timestamp(secondsSince1970: 1_767_225_600), skipsWaits: Bool = false) {
    self.init(now: now, skipsWaits: skipsWaits, watch: StallWatch())
  }

  /// - Parameter watch: The watch that reports a task that sleeps while the clock does not move.
  package init(
    now: Timestamp = Timestamp(secondsSince1970: 1_767_225_600), skipsWaits: Bool = false, watch: StallWatch
  ) {
    self.skipsWaits = skipsWaits
    self.watch = watch
    state = Mutex(State(now: now))
  }

  /// The current time of this clock.
  public var now: Timestamp { state.withLock { $0.now } }

  /// The total advance of this clock, without the changes of ``set(by:)``.
  public var uptime: Duration { state.withLock { $0.uptime } }

  /// The number of sleeping tasks.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Advances the clock, and wakes the tasks whose deadlines have passed, in order of their deadlines.
  ///
  /// - Parameter duration: The time to advance. A negative value sets the clock back and wakes no task, like ``set(by:)``.
  public func advance(by duration: Duration) { change(by: duration, passing: max(duration, .zero)) }

  /// Sets the clock as a user or a time server does: ``now`` changes, and no time passes.
  ///
  /// Tasks that sleep for a duration sleep on. Those whose deadline has passed wake.
  ///
  /// - Parameter difference: The difference to the time before. A negative value sets the clock back.
  public func set(by difference: Duration) { change(by: difference, passing: .zero) }

  private func change(by difference: Duration, passing duration: Duration) {
    let due = state.withLock { state in
      let remainders = state.sleepers.mapValues { state.remainder(until: $0.deadline) }
      state.now = state.now + difference
      state.uptime += duration
      let due = state.sleepers.filter { state.remainder(until: $0.value.deadline) == .zero }
      for id in due.keys { state.sleepers[id] = nil }
      return due.sorted { remainders[$0.key, default: .zero] < remainders[$1.key, default: .zero] }.map(\.value)
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Waits until at least `count` tasks are asleep, so a test advances the clock only when its subject waits for it.
  ///
  /// On a clock that skips waits, no task sleeps. Use ``advance(by:)`` alone.
  public func waitForSleepers(_ count: Int = 1) async {
    let id = state.withLock { $0.makeID() }
    var watching: Task<Void, Never>?
    defer { watching?.cancel() }
    await withCheckedContinuation { continuation in
      let ready = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.arrivals.append(Arrival(id: id, count: count, continuation: continuation))
        return false
      }
      if ready { return continuation.resume() }
      watching = watch.start { [weak self] in self?.stall(ofArrival: id) }
    }
  }

  /// Sleeps for a duration on this clock.
  public func sleep(for duration: Duration) async throws {
    try await sleep { .uptime($0.uptime + duration) }
  }

  /// Sleeps until a time on this clock.
  public func sleep(until deadline: Timestamp) async throws { try await sleep { _ in .time(deadline) } }

  private func sleep(until deadline: (State) -> Deadline) async throws {
    try Task.checkCancellation()
    if skipsWaits {
      return state.withLock { state in
        let wait = state.remainder(until: deadline(state))
        state.now = state.now + wait
        state.uptime += wait
      }
    }
    let id = state.withLock { $0.makeID() }
    var watching: Task<Void, Never>?
    defer { watching?.cancel() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let arrived: [Arrival]? = state.withLock { state in
          let deadline = deadline(state)
          guard state.remainder(until: deadline) > .zero else { return nil }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          let asleep = state.sleepers.count
          let arrived = state.arrivals.filter { $0.count <= asleep }
          state.arrivals.removeAll { $0.count <= asleep }
          return arrived
        }
        guard let arrived else { return continuation.resume() }
        watching = watch.start { [weak self] in self?.stall(of: id) }
        for arrival in arrived { arrival.continuation.resume() }
        if Task.isCancelled { wake(id, throwing: CancellationError()) }
      }
    } onCancel: {
      wake(id, throwing: CancellationError())
    }
  }

  /// Returns a description of the sleeping tasks, or `nil` if the task no longer sleeps or another task reports for it.
  private func stall(of id: Int) -> String? {
    let isFirst = state.withLock { state in state.sleepers.keys.min() == id }
    return isFirst ? "\(self). \(Self.advice)" : nil
  }

  /// Returns a description of the tasks a test waits for, or `nil` if the test no longer waits.
  private func stall(ofArrival id: Int) -> String? {
    guard let count = state.withLock({ state in state.arrivals.first { $0.id == id }?.count }) else { return nil }
    let advice =
      skipsWaits
      ? "With skipsWaits, no task sleeps: do not wait for one, or create the clock without skipsWaits."
      : "Give this clock to the code that sleeps, or wait for fewer tasks."
    return "\(self). waitForSleepers(\(count)) waits for \(count) sleeping \(count == 1 ? "task" : "tasks"). \(advice)"
  }

  private static let advice =
    "No test moves the clock. Call advance(by:), or create it with ManualClock(skipsWaits: true)."

  private func wake(_ id: Int, throwing error: any Error) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
    sleeper?.continuation.resume(throwing: error)
  }
}

extension ManualClock: CustomStringConvertible {
  /// The time, and the remaining waits of the sleeping tasks.
  public var description: String {
    let (now, remainders) = state.withLock { state in
      (state.now, state.sleepers.values.map { state.remainder(until: $0.deadline) }.sorted())
    }
    let time = "ManualClock at \(now)"
    guard !remainders.isEmpty else { return time }
    let waits = remainders.prefix(5).map { "\($0 / .seconds(1)) s" } + (remainders.count > 5 ? ["…"] : [])
    return "\(time): \(remainders.count) sleeping, for \(waits.joined(separator: ", "))"
  }
}
