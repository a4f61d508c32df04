// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing
import Timekeeping

/// A clock of one's own has the third member by the other two.
struct WallClockTests {
  private final class StoppedClock: WallClock {
    let now = Timestamp(secondsSince1970: 100)
    let waits = Mutex<[Duration]>([])

    func sleep(for duration: Duration) async throws { waits.withLock { $0.append(duration) } }
  }

  @Test(arguments: [(130, 30), (100, 0), (90, -10)] as [(Int64, Int64)])
  func clockWaitsForWhatIsLeft(deadline: Int64, seconds: Int64) async throws {
    let clock = StoppedClock()
    try await clock.sleep(until: Timestamp(secondsSince1970: deadline))
    #expect(clock.waits.withLock(\.self) == [.seconds(seconds)])
  }

  @Test func uptimeIsTheTimeOfAClockWithoutOne() {
    #expect(StoppedClock().uptime == .seconds(100))
  }

  @Test func uptimeOfTheSystemNeverGoesBack() async throws {
    let readings = (0..<1000).map { _ in SystemClock().uptime }
    #expect(readings == readings.sorted() && readings[0] >= .zero)
  }

  @Test func systemClockDoesNotWaitForWhatHasPassed() async throws {
    let clock = SystemClock()
    let before = clock.now
    try await clock.sleep(until: before - .seconds(1000))
    #expect(clock.now >= before)
    // 2026-01-01: the seconds and nanoseconds are in their places.
    #expect(before.secondsSince1970 > 1_767_225_600 && before.secondsSince1970 < 32_503_680_000)
    let wait = Task { try await clock.sleep(for: .seconds(100_000)) }
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
  }

  @Test(arguments: [.seconds(-1e19), .seconds(Int64.min)] as [Duration])
  func negativeWaitOfTheSystemReturns(_ duration: Duration) async throws {
    try await SystemClock().sleep(for: duration)
  }

  /// The end of these waits is later than the last instant of the continuous clock.
  @Test(arguments: [
    .seconds(Int64.max), Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    .seconds(1e19),
  ])
  func endlessWaitOfTheSystemLastsUntilItIsCancelled(_ duration: Duration) async {
    let executor = SerialTaskExecutor()
    let wait = Task(executorPreference: executor) { try await SystemClock().sleep(for: duration) }
    executor.drain()
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
  }
}
