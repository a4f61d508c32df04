// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import Synchronization
import Testing
import Timekeeping

/// Several layers that retry make one policy's attempts.
struct NestedRetryTests {
  private static let request = HTTPRequest(.get, URL(literal: "https://api.example/x"), fields: ["X-Note": "a"])
  private let clock = ManualClock(skipsWaits: true)

  /// A decorator that changes a copy, as one should.
  private struct Tagging: Transport {
    let base: any Transport

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      var request = request
      request.fields["X-Tag"] = "1"
      return try await base.send(request)
    }
  }

  /// A decorator that makes a new request.
  private struct Rebuilding: Transport {
    let base: any Transport

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      try await base.send(HTTPRequest(request.method, request.url, fields: request.fields))
    }
  }

  /// A server whose responses are streamed.
  private struct StreamingServer: StreamingTransport {
    let stub: StubTransport

    func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
      let response = try await stub.send(request)
      return StreamedResponse(status: response.status, fields: response.fields)
    }
  }

  @Test(arguments: [503, 429, 500]) func layersShareOnePolicysAttemptsAndTime(_ status: Int) async throws {
    let base = StubTransport { _ in HTTPResponse(status: status, fields: ["Retry-After": "30"]) }
    let http = Tagging(base: base.retrying(clock: clock).logging(clock: clock) { _ in }.retrying(clock: clock))
      .retrying(clock: clock)
    let start = clock.now
    #expect(try await http.send(Self.request).status == status)
    #expect(base.requests.count == 4)
    #expect(clock.now - start == .seconds(90))
  }

  @Test func theOutermostLayerThatRetriesDecides() async throws {
    let base = StubTransport { _ in throw TransportError(.connectionLost, "The response was lost.") }
    for (outer, inner, count) in [
      (RetryPolicy(maximumAttempts: 2), RetryPolicy(maximumAttempts: 5), 2),
      (RetryPolicy(maximumAttempts: 5), RetryPolicy(maximumAttempts: 2), 5),
      (.none, RetryPolicy(maximumAttempts: 3), 3),  // a layer with one attempt does not retry
      (RetryPolicy(maximumAttempts: 3), .none, 3), (.none, .none, 1),
    ] {
      let before = base.requests.count
      let http = base.retrying(inner, clock: clock).retrying(outer, clock: clock)
      await #expect(throws: TransportError.self) { try await http.send(Self.request) }
      #expect(base.requests.count - before == count)
    }
  }

  @Test func concurrentCallsHaveAttemptsOfTheirOwn() async throws {
    let base = StubTransport { _ in HTTPResponse(status: 503) }
    let http = Rebuilding(base: base.retrying(clock: clock)).retrying(clock: clock)
    async let other = http.send(Self.request)
    _ = try await (http.send(Self.request), other)
    #expect(base.requests.count == 8)
  }

  /// A decorator that makes a new request drops the time limit, too.
  @Test(arguments: [nil, 70]) func aNewRequestStaysWithinItsCall(_ timeout: Int?) async throws {
    let base = StubTransport { _ in HTTPResponse(status: 503, fields: ["Retry-After": "30"]) }
    let http = Rebuilding(base: Rebuilding(base: base.retrying(clock: clock)).retrying(clock: clock))
      .retrying(clock: clock)
    var request = Self.request
    request.timeout = timeout.map { .seconds($0) }
    _ = try await http.send(request)
    #expect(
      base.requests.map(\.timeout)
        == (timeout == nil ? [nil, nil, nil, nil] : [.seconds(70), .seconds(40), .seconds(10)]))
  }

  @Test func aStreamedExchangeIsNoExceptionToTheRule() async throws {
    let stub = StubTransport { _ in HTTPResponse(status: 503) }
    let http = StreamingServer(stub: stub).retrying(clock: clock).retrying(clock: clock)
    #expect(try await http.send(Self.request).status == 503)
    #expect(stub.requests.count == 4)
  }

  @Test(arguments: [true, false]) func aCallThatMayHaveArrivedDoesNotLookAsIfItHadNot(_ isLost: Bool) async throws {
    let isFirst = Mutex(true)
    let base = StubTransport { _ in
      let first = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      if !first { throw TransportError(.unreachable, reason: .noRoute, "There is no network.") }
      if isLost { throw TransportError(.connectionLost, "The response was lost.") }
      return HTTPResponse(status: 503)
    }
    let error = try await #require(throws: TransportError.self) {
      try await base.retrying(clock: clock).send(Self.request)
    }
    #expect(error.code == .connectionLost)
    #expect((error.cause as? TransportError)?.code == .unreachable)
    #expect(base.requests.count == 4)
  }

  @Test func aCallThatNeverArrivedSaysSo() async throws {
    // Without further responses, the stub is unreachable.
    let base = StubTransport(HTTPResponse(status: 429), HTTPResponse(status: 429))
    let error = try await #require(throws: TransportError.self) {
      try await base.retrying(clock: clock).send(Self.request)
    }
    #expect(error.code == .unreachable)
  }
}
