// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import PlatformFoundation
import Synchronization
import TestSupport
import Testing
import Timekeeping

struct RetryTests {
  /// A clock whose sleeps end at once and move it forward.
  private final class SkippingClock: WallClock {
    private let time = Mutex(Timestamp(secondsSince1970: 1_767_225_600))
    private let slept = Mutex<[Duration]>([])

    var now: Timestamp { time.withLock { $0 } }
    var pauses: [Duration] { slept.withLock { $0 } }

    func sleep(for duration: Duration) async throws {
      try Task.checkCancellation()
      slept.withLock { $0.append(duration) }
      time.withLock { $0 = $0 + duration }
      await Task.yield()
    }
  }

  private static func client(_ transport: StubTransport, _ clock: some WallClock, attempts: Int = 4) -> CalendarClient {
    CalendarClient(
      transport: transport, options: .init(retryPolicy: RetryPolicy(maximumAttempts: attempts)), clock: clock)
  }

  /// The numbers of requests of an insertion that is taken, and of an addition that came too fast.
  @Test(arguments: [
    (400, false, 1, 1), (403, false, 1, 1), (404, true, 1, 1), (405, false, 1, 1), (408, false, 1, 1),
    (409, false, 2, 1), (410, true, 1, 1), (411, false, 1, 1), (428, false, 1, 1), (429, false, 1, 2),
    (430, false, 1, 1),
  ]) func statusAloneSaysWhatHappened(_ status: Int, _ isGone: Bool, _ taken: Int, _ tooFast: Int) async throws {
    func client(_ transport: StubTransport, attempts: Int = 1) -> CalendarClient {
      Self.client(transport, SkippingClock(), attempts: attempts)
    }
    let refusing = StubTransport { $0.method == .get ? .json(#"{"id":"x"}"#) : HTTPResponse(status: status) }
    do {
      try await client(refusing).events.delete("e", in: "c")
      #expect(isGone)
    } catch let error as CalendarError {
      #expect(!isGone && error.status == status)
    }
    _ = try? await client(refusing).events.insert(Event(), in: "c")
    #expect(refusing.requests.count == 1 + taken)
    let refusingOnce = StubTransport(HTTPResponse(status: status), .json("{}"))
    _ = try? await client(refusingOnce, attempts: 4).events.quickAdd("Lunch", in: "c")
    #expect(refusingOnce.requests.count == tooFast)
  }

  @Test(arguments: [(3600, 2), (3601, 1)]) func pauseThatIsTooLongIsNotWaitedFor(_ seconds: Int, _ requests: Int)
    async throws
  {
    var policy = RetryPolicy.default
    policy.maximumRetryAfter = .seconds(3600)
    let refusal = HTTPResponse(status: 503, fields: ["Retry-After": "\(seconds)"])
    let transport = StubTransport(refusal, .json("{}"))
    let clock = SkippingClock()
    let client = CalendarClient(transport: transport, options: .init(retryPolicy: policy), clock: clock)
    _ = try? await client.colors.get()
    #expect(transport.requests.count == requests)
    #expect(clock.pauses.contains { $0 >= .seconds(seconds) } == (requests == 2))
  }

  @Test func cancellationEndsAPause() async throws {
    let clock = ManualClock()
    let transport = StubTransport { _ in .refusal(503, "backendError") }
    let task = Task { try await Self.client(transport, clock).colors.get() }
    await clock.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// One request in no time counts as ten in a second, half of which is the rate that is tried.
  @Test func rateIsHalvedAndGrowsWithEverySuccess() async throws {
    let clock = SkippingClock()
    let refusesNext = Mutex(true)
    let transport = StubTransport { _ in
      let refuses = refusesNext.withLock { next in
        defer { next = false }
        return next
      }
      return refuses ? .refusal(403, "rateLimitExceeded") : .json("{}")
    }
    let client = Self.client(transport, clock, attempts: 1)
    await #expect(throws: CalendarError.self) { try await client.colors.get() }
    #expect(clock.pauses.isEmpty)
    var rate = 5.0
    for count in 1...100 {
      _ = try await client.colors.get()
      let pause = try #require(clock.pauses.last)
      #expect(clock.pauses.count == count)
      // The token that came while the last request waited is of the old rate.
      #expect(pause <= .seconds(1 / rate) + .milliseconds(1) && pause >= .seconds(0.9 / (rate + 0.1)), "\(count)")
      rate += 0.1
    }
    // A second's worth may be sent at once after a pause.
    try await clock.sleep(for: .seconds(100))
    let count = clock.pauses.count
    for _ in 0..<14 { _ = try await client.colors.get() }
    #expect(clock.pauses.count == count)
  }

  /// Two requests that are sent together show one limit, not two.
  @Test func refusalsOfRequestsSentTogetherLowerTheRateOnce() async throws {
    let clock = SkippingClock()
    let (first, second) = (AsyncGate(), AsyncGate())
    let transport = StubTransport { request in
      switch request.url.lastPathComponent {
      case "first": try await first.pass()
      case "second": try await second.pass()
      default: return .json("{}")
      }
      return .refusal(429, "rateLimitExceeded")
    }
    let client = Self.client(transport, clock, attempts: 1)
    let requests = ["first", "second"].map { id in Task { try await client.events.get(id, in: "c") } }
    for (gate, request) in zip([first, second], requests) {
      await first.waitForArrival()
      await second.waitForArrival()
      await gate.open()
      await #expect(throws: CalendarError.self) { try await request.value }
    }
    _ = try await client.colors.get()
    // Two requests in no time count as twenty in a second, half of which is the rate that is tried.
    #expect(clock.pauses == [.seconds(0.1)])
  }

  /// A request that waits owes a token until its turn comes, and not to those after it.
  @Test func everyRefusalHalvesTheRateDownToALowestOne() async throws {
    let clock = SkippingClock()
    let transport = StubTransport { _ in .refusal(429, "rateLimitExceeded") }
    let client = Self.client(transport, clock, attempts: 1)
    for _ in 0..<12 { await #expect(throws: CalendarError.self) { try await client.colors.get() } }
    // Half as many a second with every refusal, down to one in two seconds.
    let expected = [0.2, 0.4, 0.8, 1.6] + Array(repeating: 2.0, count: 7)
    try #require(clock.pauses.count == expected.count)
    for (pause, seconds) in zip(clock.pauses, expected) { #expect(abs(pause / .seconds(1) - seconds) < 0.001) }
  }
}
