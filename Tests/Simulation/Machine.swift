// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timekeeping
import TokenStore

/// One run of a program on a machine, from its start to its crash.
final class Machine: Sendable {
  private struct State {
    var isRunning = true
    var pauseEnd = Duration.zero
    var partitionEnd = Duration.zero
  }

  let number: Int
  let scheduler: Scheduler
  /// The error of the wall clock.
  let skew: Duration
  /// The speed of the clock that measures leases.
  fileprivate let speed: Double
  private let state = Mutex(State())

  init(_ number: Int, _ scheduler: Scheduler) {
    (self.number, self.scheduler) = (number, scheduler)
    skew = scheduler.seconds(-20...20)
    speed = scheduler.random(0.999...1.001)
  }

  var isRunning: Bool { state.withLock(\.isRunning) }
  var isPartitioned: Bool { state.withLock { $0.partitionEnd > scheduler.now } }

  func crash() { state.withLock { $0.isRunning = false } }
  func pause(for time: Duration) { state.withLock { $0.pauseEnd = scheduler.now + time } }
  func partition(for time: Duration) { state.withLock { $0.partitionEnd = scheduler.now + time } }

  /// Waits until the machine is not paused.
  ///
  /// - Throws: `CancellationError` if it has crashed: the program does nothing more that others see.
  func proceed() async throws {
    while true {
      let (isRunning, end) = state.withLock { ($0.isRunning, $0.pauseEnd) }
      guard isRunning else { throw CancellationError() }
      guard end > scheduler.now else { return }
      try await scheduler.sleep(until: end)
    }
  }

  func sleep(until end: Duration) async throws {
    try await scheduler.sleep(until: end)
    try await proceed()
  }

  func sleep(for time: Duration) async throws { try await sleep(until: scheduler.now + time) }
}

/// The clock that measures leases: it has the machine's speed, and counts pauses.
struct MachineLeaseClock: LeaseClock {
  /// Later than the system's clock, with which the client also compares the deadline for sending.
  private static let start = ContinuousClock.now + .seconds(1_000_000)
  let machine: Machine

  var now: ContinuousClock.Instant { Self.start + machine.scheduler.now * machine.speed }

  func sleep(until instant: ContinuousClock.Instant) async throws {
    try await machine.sleep(until: (instant - Self.start) / machine.speed)
  }
}

/// The clock that decides whether a token has expired.
struct MachineWallClock: WallClock {
  let machine: Machine

  var now: Timestamp { Timestamp(secondsSince1970: 1_767_225_600) + machine.scheduler.now + machine.skew }
  var uptime: Duration { machine.scheduler.now }

  func sleep(for duration: Duration) async throws { try await machine.sleep(for: duration) }
}
