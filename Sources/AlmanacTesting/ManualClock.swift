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
/// For code that waits by itself, such as a retry, use `ManualClock(skipsWaits: true)`. It advances to the end of every wait
/// immediately, so the test does not need to advance it concurrently.
///
/// The clock helps to find the cause of a stalled test. If a task sleeps for ten seconds of real time while the clock does not
/// move, the clock writes the remaining waits and the remedy to standard error. It also reports a ``waitForSleepers(_:)`` that
/// has not returned after ten seconds. The description shows the waits at any time.
public final class ManualClock: WallClock {
  private struct Sleeper {
    let deadline: Timestamp
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// A test that waits for sleeping tasks.
  private struct Arrival {
    let id: Int
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now: Timestamp
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    var arrivals: [Arrival] = []

    mutating func makeID() -> Int {
      nextID += 1
      return nextID
    }
  }

  private let state: Mutex<State>
  private let skipsWaits: Bool
  private let watch: StallWatch

  /// Creates a clock that shows `now`.
  ///
  /// - Parameters:
  ///   - now: The initial time. Defaults to 2026-01-01T00:00:00Z.
  ///   - skipsWaits: Whether a wait advances the clock to its end instead of sleeping until ``advance(by:)``. A time limit for
  ///     concurrent work then expires immediately, so do not set it for code that races work against a time limit. Defaults to
  ///     `false`.
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

  /// The number of sleeping tasks.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Advances the clock, and wakes the tasks whose deadlines have passed, in order of their deadlines.
  ///
  /// - Parameter duration: The time to advance. A negative value sets the clock back and wakes no task.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now + duration
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Waits until at least `count` tasks are asleep, so that a test advances the clock only when its subject waits for it.
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
  public func sleep(for duration: Duration) async throws { try await sleep { $0 + duration } }

  /// Sleeps until a time on this clock.
  public func sleep(until deadline: Timestamp) async throws { try await sleep { _ in deadline } }

  private func sleep(until deadline: (Timestamp) -> Timestamp) async throws {
    try Task.checkCancellation()
    if skipsWaits { return state.withLock { $0.now = max($0.now, deadline($0.now)) } }
    let id = state.withLock { $0.makeID() }
    var watching: Task<Void, Never>?
    defer { watching?.cancel() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let arrived: [Arrival]? = state.withLock { state in
          let deadline = deadline(state.now)
          guard deadline > state.now else { return nil }
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

  /// Returns a description of the tasks that a test waits for, or `nil` if the test no longer waits.
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
    let (now, deadlines) = state.withLock { ($0.now, $0.sleepers.values.map(\.deadline).sorted()) }
    let time = "ManualClock at \(now)"
    guard !deadlines.isEmpty else { return time }
    let waits = deadlines.prefix(5).map { "\(($0 - now) / .seconds(1)) s" } + (deadlines.count > 5 ? ["…"] : [])
    return "\(time): \(deadlines.count) sleeping, for \(waits.joined(separator: ", "))"
  }
}
