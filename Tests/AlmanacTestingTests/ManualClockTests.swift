// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import Synchronization
import Testing
import Timekeeping

@Suite(.timeLimit(.minutes(1))) struct ManualClockTests {
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

  @Test func cancelledTaskDoesNotMoveTheClock() async {
    let clock = ManualClock(skipsWaits: true)
    let start = clock.now
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await clock.sleep(for: .seconds(60))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now == start)
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

  @Test func aTaskThatWokeIsNotToldOf() async throws {
    let reports = Mutex(0)
    let clock = ManualClock(watch: StallWatch(patience: .seconds(3600)) { _ in reports.withLock { $0 += 1 } })
    let sleeping = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    try await sleeping.value
    #expect(reports.withLock { $0 } == 0)
  }

  @Test func conformanceFailureShowsItsCause() {
    struct Cause: Error, CustomStringConvertible { let description = "no space left" }
    let failure = ConformanceFailure(promise: "A write is durable.", detail: "It was refused.", cause: Cause())
    #expect(failure.description.contains("no space left"))
    #expect(failure.localizedDescription == failure.description)
  }
}
