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

  @Test(arguments: [
    (403, "rateLimitExceeded"), (403, "userRateLimitExceeded"), (429, "rateLimitExceeded"), (500, "backendError"),
    (503, "whatever"), (409, "conflict"),
  ]) func aPassingFailureIsRetriedByItsReason(_ status: Int, _ reason: String) async throws {
    let transport = StubTransport(.refusal(status, reason), .refusal(status, reason), .json(#"{"id":"e"}"#))
    let event = try await Self.client(transport, SkippingClock()).events.get("e", in: "c")
    #expect(event.id == "e")
    #expect(transport.requests.count == 3)
  }

  @Test(arguments: [
    (403, "quotaExceeded"), (403, "forbiddenForNonOrganizer"), (403, "requiredAccessLevel"), (400, "timeRangeEmpty"),
    (401, "authError"), (404, "notFound"), (409, "duplicate"), (410, "deleted"), (412, "conditionNotMet"),
  ]) func aPermanentRefusalIsNot(_ status: Int, _ reason: String) async throws {
    let transport = StubTransport(.refusal(status, reason), .json("{}"))
    let error = try await #require(throws: CalendarError.self) {
      try await Self.client(transport, SkippingClock()).events.get("e", in: "c")
    }
    #expect(error.code.rawValue == reason)
    #expect(transport.requests.count == 1)
  }

  /// Any other refusal is final for a request that is not repeatable.
  @Test(arguments: [
    (503, "backendError", 1), (403, "rateLimitExceeded", 2), (409, "conflict", 1), (429, nil, 2), (428, nil, 1),
    (430, nil, 1), (403, nil, 1),
  ])
  func onlyWhatCameTooFastIsRepeated(_ status: Int, _ reason: String?, _ requests: Int) async throws {
    let refusal = reason.map { HTTPResponse.refusal(status, $0) } ?? HTTPResponse(status: status)
    let transport = StubTransport(refusal, .json("{}"))
    _ = try? await Self.client(transport, SkippingClock()).events.quickAdd("Lunch", in: "c")
    #expect(transport.requests.count == requests)
  }

  @Test(arguments: [503, 429, 500]) func aTransportThatRetriesAddsNoAttempts(_ status: Int) async throws {
    let clock = ManualClock(skipsWaits: true)
    let base = StubTransport { _ in HTTPResponse(status: status, fields: ["Retry-After": "30"]) }
    let client = CalendarClient(transport: base.retrying(clock: clock), clock: clock)
    let start = clock.now
    await #expect(throws: CalendarError.self) { try await client.colors.get() }
    #expect(base.requests.count == 4)
    #expect(clock.now - start == .seconds(90))
    // What came too fast is sent in smaller batches.
    guard status != 429 else { return }
    let results = try await client.batch([ColorsResource.get(), ColorsResource.get()])
    #expect(base.requests.count == 8)
    #expect(results.allSatisfy { $0.code?.rawValue == "unexplained" })
  }

  @Test func whatIsGoneIsDeleted() async throws {
    for (status, reason) in [(404, "notFound"), (410, "deleted")] {
      let transport = StubTransport { _ in .refusal(status, reason) }
      let client = Self.client(transport, SkippingClock())
      try await client.events.delete("e", in: "c")
      try await client.calendars.delete("c")
      try await client.calendarList.delete("c")
      try await client.acl.delete("r", in: "c")
      #expect(transport.requests.count == 4)
    }
  }

  @Test(arguments: [
    (404, true), (410, true), (403, false), (405, false), (409, false), (411, false), (400, false),
  ])
  func statusAloneSaysWhatIsGone(_ status: Int, _ isGone: Bool) async throws {
    let client = Self.client(StubTransport(HTTPResponse(status: status)), SkippingClock())
    do {
      try await client.events.delete("e", in: "c")
      #expect(isGone)
    } catch let error as CalendarError {
      #expect(!isGone && error.code == .unexplained && error.status == status)
    }
  }

  @Test(arguments: [(409, 2), (408, 1), (410, 1), (400, 1)])
  func statusAloneSaysWhatIsADuplicate(_ status: Int, _ requests: Int) async throws {
    let transport = StubTransport { request in
      request.method == .get ? .json(#"{"id":"x"}"#) : HTTPResponse(status: status)
    }
    _ = try? await Self.client(transport, SkippingClock(), attempts: 1).events.insert(Event(), in: "c")
    #expect(transport.requests.count == requests)
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

  @Test func theRateFallsToWhatTheServerAccepts() async throws {
    let clock = SkippingClock()
    // Ten requests a second, counted by the second, as a server counts them.
    let counts = Mutex<[Int64: Int]>([:])
    let refusals = Mutex(0)
    let transport = StubTransport { _ in
      let accepted = counts.withLock { counts in
        counts[clock.now.secondsSince1970, default: 0] += 1
        return counts[clock.now.secondsSince1970, default: 0] <= 10
      }
      if accepted { return .json("{}") }
      refusals.withLock { $0 += 1 }
      return .refusal(403, "userRateLimitExceeded")
    }
    let client = Self.client(transport, clock, attempts: 10)
    for _ in 0..<500 { _ = try await client.colors.get() }
    #expect(transport.requests.count - refusals.withLock { $0 } == 500)
    // Without pacing, every eleventh request and those after it are refused.
    #expect(refusals.withLock { $0 } < 60, "\(refusals.withLock { $0 }) refusals")
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
