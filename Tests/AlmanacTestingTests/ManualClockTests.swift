// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing
import Timekeeping

@Suite(.hangLimit) struct ManualClockTests {
  @Test func clockThatSkipsWaitsMovesToTheirEnd() async throws {
    let clock = ManualClock(skipsWaits: true)
    let start = clock.now
    try await clock.sleep(for: .seconds(60))
    #expect(clock.now == start + .seconds(60))
    try await clock.sleep(until: start + .seconds(90))
    #expect(clock.now == start + .seconds(90))
    try await clock.sleep(until: start)
    #expect(clock.now == start + .seconds(90), "it does not go back")
    #expect(clock.sleeperCount == 0)
  }

  @Test(arguments: [true, false]) func cancelledTaskDoesNotSleepOrMoveTheClock(_ skipsWaits: Bool) async {
    let clock = ManualClock(skipsWaits: skipsWaits)
    let start = clock.now
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await clock.sleep(for: .seconds(60))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now == start && clock.sleeperCount == 0)
  }

  @Test func retriesNeedNoTestBesideThem() async throws {
    let transport = StubTransport { request in HTTPResponse(status: request.url.path() == "/busy" ? 503 : 200) }
    let clock = ManualClock(skipsWaits: true)
    let start = clock.now
    let response = try await transport.retrying(clock: clock).send(
      HTTPRequest(.get, try #require(URL(string: "https://api.example/busy"))))
    #expect(response.status == 503)
    #expect(transport.requests.count > 1)
    #expect(clock.now > start)
  }

  @Test func aTestThatHangsSaysWhatItWaitsFor() async throws {
    let (reports, told) = AsyncStream.makeStream(of: String.self)
    let clock = ManualClock(watch: StallWatch(patience: .zero) { told.yield($0) })
    let sleeping = Task { try await clock.sleep(for: .milliseconds(1500)) }
    await clock.waitForSleepers()
    var text = ""
    for await report in reports {
      text = report
      break
    }
    #expect(text.contains("1 sleeping, for 1.5 s") && text.contains("skipsWaits"), "\(text)")
    clock.advance(by: .seconds(2))
    try await sleeping.value
    #expect("\(clock)" == "ManualClock at \(clock.now)")
  }

  @Test(arguments: [
    (true, 0, 1, "2026-01-01T00:00:00Z. waitForSleepers(1) waits for 1 sleeping task. With skipsWaits"),
    (false, 0, 1, "2026-01-01T00:00:00Z. waitForSleepers(1) waits for 1 sleeping task. Give this clock"),
    // The task that sleeps is reported as well.
    (false, 1, 2, "1 sleeping, for 9.0 s. waitForSleepers(2) waits for 2 sleeping tasks. Give this clock"),
  ])
  func aTestThatWaitsForTasksThatDoNotSleepIsReported(
    skipsWaits: Bool, sleepers: Int, count: Int, expected: String
  ) async throws {
    let (reports, told) = AsyncStream.makeStream(of: String.self)
    let clock = ManualClock(skipsWaits: skipsWaits, watch: StallWatch(patience: .milliseconds(50)) { told.yield($0) })
    let sleeping = (0..<sleepers).map { _ in Task { try await clock.sleep(for: .seconds(9)) } }
    let waiting = Task { await clock.waitForSleepers(count) }
    let text = try #require(await reports.first { !$0.contains("No test moves") })
    #expect(text.contains(expected), "\(text)")
    if skipsWaits { return waiting.cancel() }
    let late = (sleepers..<count).map { _ in Task { try await clock.sleep(for: .seconds(9)) } }
    await waiting.value
    clock.advance(by: .seconds(9))
    for task in sleeping + late { try await task.value }
  }

  @Test func reportsGoToStandardError() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      StallWatch.writeToStandardError("A task sleeps.")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("A task sleeps.\n"), "\(text)")
  }

  @Test func sleepersWakeAtTheirDeadlineAndNotBefore() async throws {
    let clock = ManualClock()
    let sleeping = Task { try await clock.sleep(for: .seconds(10)) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .nanoseconds(1))
    #expect(clock.sleeperCount == 0)
    try await sleeping.value
  }

  @Test func sleepersWakeInTheOrderOfTheirDeadlines() async throws {
    let clock = ManualClock()
    final class Woken: Sendable { let order = Mutex<[Int]>([]) }
    let woken = Woken()
    let executor = SerialTaskExecutor()
    let sleeping = [5, 3, 4, 1, 2].map { seconds in
      Task(executorPreference: executor) {
        try await clock.sleep(for: .seconds(seconds))
        woken.order.withLock { $0.append(seconds) }
      }
    }
    await clock.waitForSleepers(5)
    clock.advance(by: .seconds(4))
    for number in 1...4 { try await sleeping[number].value }
    #expect(woken.order.withLock(\.self) == [1, 2, 3, 4])
    clock.advance(by: .seconds(1))
    try await sleeping[0].value
  }

  @Test func aTaskWithATimeWakesOnceTheClockShowsIt() async throws {
    let clock = ManualClock()
    let start = clock.now
    let sleeping = Task { try await clock.sleep(until: start + .seconds(10)) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(-3_600))
    #expect(clock.now == start - .seconds(3_600))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(3_600))
    #expect(clock.sleeperCount == 1, "The deadline is a time, not a distance.")
    clock.set(by: .seconds(10))
    try await sleeping.value
  }

  @Test(arguments: [-86_400, 86_400]) func settingTheClockPassesNoTime(_ seconds: Int) async throws {
    let clock = ManualClock()
    let start = clock.now
    let sleeping = Task { try await clock.sleep(for: .seconds(10)) }
    await clock.waitForSleepers()
    clock.set(by: .seconds(seconds))
    #expect(clock.now == start + .seconds(seconds) && clock.uptime == .zero && clock.sleeperCount == 1)
    clock.advance(by: .seconds(10))
    try await sleeping.value
    #expect(clock.uptime == .seconds(10))
    clock.advance(by: .seconds(-3_600))
    #expect(clock.uptime == .seconds(10), "It never goes back.")
    let skipping = ManualClock(skipsWaits: true)
    try await skipping.sleep(for: .seconds(3))
    #expect(skipping.uptime == .seconds(3))
  }

  @Test func aWaitThatIsOverReturnsAtOnce() async throws {
    let clock = ManualClock()
    try await clock.sleep(for: .zero)
    try await clock.sleep(for: .seconds(-1))
    try await clock.sleep(until: clock.now)
    #expect(clock.sleeperCount == 0)
  }

  @Test func aSleeperThatIsCancelledLeavesAloneAndAtOnce() async throws {
    let clock = ManualClock()
    async let one: Void = clock.waitForSleepers(1)
    async let two: Void = clock.waitForSleepers(2)
    let first = Task { try await clock.sleep(for: .seconds(1)) }
    await one
    #expect(clock.sleeperCount == 1)
    let second = Task { try await clock.sleep(for: .seconds(1)) }
    await two
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(1))
    try await second.value
  }

  @Test func theDescriptionHasTheTimeAndFiveWaitsTheShortestFirst() async throws {
    #expect(ManualClock(now: Timestamp(secondsSince1970: 60)).now.secondsSince1970 == 60)
    let clock = ManualClock()
    #expect("\(clock)" == "ManualClock at 2026-01-01T00:00:00Z")
    let sleeping = (1...7).reversed().map { seconds in Task { try await clock.sleep(for: .seconds(seconds)) } }
    await clock.waitForSleepers(7)
    #expect("\(clock)" == "ManualClock at \(clock.now): 7 sleeping, for 1.0 s, 2.0 s, 3.0 s, 4.0 s, 5.0 s, …")
    clock.advance(by: .seconds(2))
    #expect("\(clock)" == "ManualClock at \(clock.now): 5 sleeping, for 1.0 s, 2.0 s, 3.0 s, 4.0 s, 5.0 s")
    clock.advance(by: .seconds(5))
    for task in sleeping { try await task.value }
  }
}
