// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import TestSupport
import Testing
import Timekeeping

@Suite(.hangLimit) struct RetryingTransportTests {
  private static let url = URL(literal: "https://api.example/x?token=s3cret")
  private let clock = ManualClock(skipsWaits: true)

  /// Sends through a retrying transport, and returns how long that took by the clock.
  private func send(
    _ request: HTTPRequest = HTTPRequest(.get, url), over base: StubTransport, _ policy: RetryPolicy = .default
  ) async -> (result: Result<HTTPResponse, any Error>, waited: Duration) {
    let start = clock.now
    let transport = base.retrying(policy, clock: clock)
    let result = await Task { try await transport.send(request) }.result
    return (result, clock.now - start)
  }

  @Test(arguments: [
    (HTTPMethod.get, 503, 2), (.get, 500, 2), (.get, 502, 2), (.get, 504, 2), (.get, 408, 2), (.get, 429, 2),
    (.put, 503, 2), (.delete, 503, 2),
    (.post, 503, 1), (.post, 500, 1), (.patch, 502, 1),  // may have been carried out
    (.post, 429, 2),  // was not
    (.get, 501, 1), (.get, 404, 1), (.get, 401, 1), (.get, 200, 1),
  ])
  func onlyWhatMayBeRepeatedIs(_ method: HTTPMethod, _ status: Int, _ attempts: Int) async throws {
    let base = StubTransport(HTTPResponse(status: status), HTTPResponse(status: 200))
    let outcome = await send(HTTPRequest(method, Self.url), over: base)
    #expect(base.requests.count == attempts)
    #expect(try outcome.result.get().status == (attempts == 2 ? 200 : status))
  }

  @Test(arguments: [429, 503])
  func aProofThatCountsOnceIsNotSentAgain(_ status: Int) async throws {
    let base = StubTransport(HTTPResponse(status: status), HTTPResponse(status: 200))
    let outcome = await send(HTTPRequest(.get, Self.url, fields: ["DPoP": "proof"]), over: base)
    #expect(try outcome.result.get().status == status && base.requests.count == 1)
    let lost = StubTransport { _ in throw TransportError(.connectionLost, "Fault.") }
    _ = await send(HTTPRequest(.get, Self.url, fields: ["DPoP": "proof"]), over: lost)
    #expect(lost.requests.count == 1)
    let unreached = StubTransport { _ in throw TransportError(.unreachable, "Fault.") }
    _ = await send(HTTPRequest(.get, Self.url, fields: ["DPoP": "proof"]), over: unreached)
    #expect(unreached.requests.count == 4, "No server has seen the proof.")
  }

  @Test func postIsRepeatedIfTheCallerOrThePolicyAllowsIt() async throws {
    var request = HTTPRequest(.post, Self.url)
    let policy = RetryPolicy(unprocessedStatuses: [429, 503])
    let busy = StubTransport(HTTPResponse(status: 503), HTTPResponse(status: 200))
    #expect(try await send(request, over: busy, policy).result.get().status == 200)
    request.isRepeatable = true
    let broken = StubTransport(HTTPResponse(status: 500), HTTPResponse(status: 200))
    #expect(try await send(request, over: broken).result.get().status == 200)
  }

  @Test(arguments: [
    (TransportError.Code.unreachable, HTTPMethod.post, true), (.unreachable, .get, true),
    (.connectionLost, .get, true), (.connectionLost, .post, false), (.truncated, .get, true),
    (.truncated, .post, false), (.tls, .get, false), (.timedOut, .get, false), (.tooLarge, .get, false),
    (.invalidRequest, .get, false),
  ])
  func faultIsRetriedOnlyIfTheRequestMayBe(
    _ code: TransportError.Code, _ method: HTTPMethod, _ isRetried: Bool
  ) async throws {
    let base = StubTransport { _ in throw TransportError(code, "Fault.") }
    let outcome = await send(HTTPRequest(method, Self.url), over: base)
    #expect(base.requests.count == (isRetried ? 4 : 1))
    #expect(throws: TransportError.self) { try outcome.result.get() }
  }

  @Test func waitsGrowAndAreTruncated() async {
    let policy = RetryPolicy(maximumAttempts: 40, baseDelay: .seconds(1), maximumDelay: .seconds(4))
    let outcome = await send(over: StubTransport { _ in HTTPResponse(status: 503) }, policy)
    // 39 waits of at most 4 s; their sum is below the half of that with a probability of less than 1 in 10,000.
    #expect(outcome.waited <= .seconds(156))
    #expect(outcome.waited > .seconds(30))
  }

  @Test(arguments: [-86_400, 86_400])
  func settingTheClockDoesNotChangeTheTimeout(_ seconds: Int) async throws {
    let base = StubTransport { [clock] _ in
      clock.set(by: .seconds(seconds))
      return HTTPResponse(status: 503, fields: ["Retry-After": "4"])
    }
    _ = try await base.retrying(clock: clock).send(HTTPRequest(.get, Self.url, timeout: .seconds(15)))
    // The waits are 4 seconds and at most a little more.
    #expect(base.requests.count == 4 || base.requests.count == 3)
    for (index, request) in base.requests.enumerated() {
      let timeout = try #require(request.timeout)
      #expect(timeout <= .seconds(15 - 4 * index) && timeout > .seconds(1), "\(index)")
    }
  }

  @Test func cancellationEndsAWaitAtOnce() async {
    let clock = ManualClock()
    let transport = StubTransport { _ in HTTPResponse(status: 503) }.retrying(clock: clock)
    let sending = Task { try await transport.send(HTTPRequest(.get, Self.url)) }
    await clock.waitForSleepers()
    sending.cancel()
    await #expect(throws: CancellationError.self) { try await sending.value }
  }

  @Test(arguments: [(-1, 1), (0, 1), (1, 1), (2, 2), (40, 40)]) func policyHasOneAttemptAtLeast(
    _ given: Int, _ attempts: Int
  ) {
    let policy = RetryPolicy(
      maximumAttempts: given, baseDelay: .seconds(-1), maximumDelay: .seconds(-2), maximumRetryAfter: .seconds(-3))
    #expect(policy.maximumAttempts == attempts)
    #expect([policy.baseDelay, policy.maximumDelay, policy.maximumRetryAfter] == [.zero, .zero, .zero])
  }

  @Test func policyHasDefaults() {
    let policy = RetryPolicy.default
    #expect(
      policy.maximumAttempts == 4 && policy.unprocessedStatuses == [429] && policy.maximumRetryAfter == .seconds(60))
    #expect(policy.baseDelay == .milliseconds(500) && policy.maximumDelay == .seconds(16))
    #expect(RetryPolicy.none.maximumAttempts == 1)
  }

  /// The wait doubles with every attempt, up to the longest.
  @Test(arguments: [
    (1, 1.0), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 64), (8, 100), (9, 100), (31, 100), (32, 100), (1000, 100),
  ])
  func waitDoublesUpToTheLongest(_ attempt: Int, _ seconds: Double) {
    let policy = RetryPolicy(maximumAttempts: 5, baseDelay: .seconds(1), maximumDelay: .seconds(100))
    for (fraction, part) in [(1.0, 1.0), (0.5, 0.5), (0, 0), (2, 1), (-1, 0)] {
      // A fraction that is none does not make the wait longer, or negative.
      #expect(policy.delay(after: attempt, fraction: fraction) == .seconds(seconds * part))
    }
  }

  @Test func endlessWaitDoesNotDouble() {
    let policy = RetryPolicy(baseDelay: .seconds(Int64.max), maximumDelay: .seconds(Int64.max))
    #expect(policy.delay(after: 31, fraction: 1) > .seconds(1e18))
    // The longest duration of all.
    let longest = Duration(attoseconds: .max)
    let longer = RetryPolicy(baseDelay: longest, maximumDelay: longest)
    #expect(longer.delay(after: 31, fraction: 1) > .seconds(1e18))
  }

  private static let now = Timestamp(secondsSince1970: 1_767_225_600)

  @Test(
    arguments: [
      (nil, nil, nil), ("", nil, nil), ("0", nil, 0), ("9", nil, 9), ("120", nil, 120), ("-1", nil, nil),
      ("1.5", nil, nil),
      ("1/", nil, nil), (":1", nil, nil), (" 1", nil, nil), ("\u{661}", nil, nil),
      ("9223372036854775808", nil, Int64(Int32.max)),
      (HTTPDate.format(now + .seconds(7)), nil, 7), (HTTPDate.format(now - .seconds(7)), nil, -7),
      (HTTPDate.format(now + .seconds(7)), HTTPDate.format(now + .seconds(4)), 3),
      (HTTPDate.format(now + .seconds(7)), "yesterday", 7), ("tomorrow", nil, nil),
    ] as [(String?, String?, Int64?)])
  func retryAfter(_ value: String?, _ date: String?, _ seconds: Int64?) {
    var response = HTTPResponse(status: 503)
    response.fields["Retry-After"] = value
    response.fields["Date"] = date
    #expect(response.retryAfter(Self.now) == seconds.map { .seconds($0) })
  }

  @Test func waitMayBeAsLongAsThePolicyAllows() async throws {
    for (seconds, count) in [(59, 2), (60, 2), (61, 1)] {
      let clock = ManualClock(skipsWaits: true)
      let base = StubTransport(
        HTTPResponse(status: 503, fields: ["Retry-After": "\(seconds)"]), HTTPResponse(status: 200))
      _ = try await base.retrying(clock: clock).send(HTTPRequest(.get, URL(literal: "https://a.example/")))
      #expect(base.requests.count == count)
      #expect(clock.now - Self.now == .seconds(count == 2 ? seconds : 0))
    }
  }

  @Test(arguments: [(9, 2), (10, 1), (11, 1)]) func waitEndsBeforeTheTimeIsUp(_ wait: Int, _ count: Int) async throws {
    let unreachable = StubTransport { _ in throw TransportError(.unreachable, "There is no network.") }
    let policy = RetryPolicy(maximumAttempts: 40, baseDelay: .seconds(wait), maximumDelay: .seconds(wait))
    #expect(
      await send(HTTPRequest(.get, Self.url, timeout: .seconds(15)), over: unreachable, policy).waited < .seconds(15))
    let base = StubTransport { _ in HTTPResponse(status: 503, fields: ["Retry-After": "\(wait)"]) }
    let request = HTTPRequest(.get, URL(literal: "https://a.example/"), timeout: .seconds(10))
    _ = try await base.retrying(clock: ManualClock(skipsWaits: true)).send(request)
    #expect(base.requests.count == count)
    let timeouts: [Duration?] = [.seconds(10), .seconds(1)]
    #expect(base.requests.map(\.timeout) == Array(timeouts.prefix(count)))
  }
}
