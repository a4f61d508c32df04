// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization
import TokenStore

/// A clock that moves only when a test moves it.
final class VirtualLeaseClock: LeaseClock {
  private struct State {
    var elapsed = Duration.zero
    var lastID = 0
    var sleepers: [Int: (end: ContinuousClock.Instant, wait: SingleWait<Void>)] = [:]
    var watchers: [(count: Int, wait: SingleWait<Void>)] = []
  }

  private let start = ContinuousClock.now
  private let state = Mutex(State())

  var now: ContinuousClock.Instant { state.withLock { start + $0.elapsed } }

  func sleep(until instant: ContinuousClock.Instant) async throws {
    let wait = SingleWait<Void>()
    let id: Int? = state.withLock { state in
      guard start + state.elapsed < instant else { return nil }
      state.lastID += 1
      state.sleepers[state.lastID] = (instant, wait)
      Self.tell(&state)
      return state.lastID
    }
    guard let id else { return try Task.checkCancellation() }
    defer { state.withLock { $0.sleepers[id] = nil } }
    try await wait.value()
  }

  /// Moves the clock, and wakes the sleepers whose time has come.
  func advance(by time: Duration) {
    let due = state.withLock { state in
      state.elapsed += time
      let now = start + state.elapsed
      let due = state.sleepers.filter { $0.value.end <= now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.wait)
    }
    for wait in due { wait.end(.success(())) }
  }

  /// Waits until at least `count` callers sleep.
  func waitForSleepers(_ count: Int) async throws {
    let wait = SingleWait<Void>()
    state.withLock { state in
      state.watchers.append((count, wait))
      Self.tell(&state)
    }
    try await wait.value()
  }

  private static func tell(_ state: inout State) {
    for (count, wait) in state.watchers where state.sleepers.count >= count { wait.end(.success(())) }
    state.watchers.removeAll { state.sleepers.count >= $0.count }
  }
}
