// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite(.hangLimit) struct StubTransportTests {
  private func request(_ number: Int) -> HTTPRequest {
    let url = URL(literal: "https://api.example/?q=secret").appending(path: "\(number)")
    return HTTPRequest(.post, url, fields: ["X-A": "b"], body: [97])
  }

  @Test func responsesComeInTheirOrderAndARequestTooManyIsNamed() async throws {
    let responses = [HTTPResponse(status: 503), HTTPResponse(status: 200, body: [1])]
    let transport = StubTransport(responses[0], responses[1])
    #expect(transport.requests.isEmpty)
    for number in 1...2 { #expect(try await transport.send(request(number)) == responses[number - 1]) }
    let error = try await #require(throws: TransportError.self) { try await transport.send(request(3)) }
    #expect(error.code == .unreachable)
    #expect(error.message.contains("POST https://api.example/3?…") && !error.message.contains("secret"))
    #expect(transport.requests == [request(1), request(2), request(3)])
  }

  @Test func theHandlerSeesTheRequestAndItsErrorsPassThrough() async throws {
    struct Refusal: Error, Equatable { let path: String }
    let transport = StubTransport { throw Refusal(path: $0.url.path()) }
    await #expect(throws: Refusal(path: "/1")) { try await transport.send(request(1)) }
    #expect(transport.requests == [request(1)])
  }

  @Test func aCancelledTaskSendsNothing() async throws {
    let transport = StubTransport(HTTPResponse(status: 200))
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await transport.send(request(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(transport.requests.isEmpty)
    #expect(try await transport.send(request(2)).status == 200, "The response was not used up.")
  }

  @Test func cancellationReachesTheHandler() async throws {
    let (begins, begin) = AsyncStream<Void>.makeStream()
    let transport = StubTransport { _ in
      begin.yield()
      while !Task.isCancelled { await Task.yield() }
      throw CancellationError()
    }
    let task = Task { try await transport.send(request(1)) }
    for await _ in begins { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(transport.requests == [request(1)])
  }

  @Test func eachOfManyTasksGetsAResponseOfItsOwn() async throws {
    let transport = StubTransport(
      HTTPResponse(status: 201), HTTPResponse(status: 202), HTTPResponse(status: 203), HTTPResponse(status: 204))
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...4 { group.addTask { try await transport.send(request(number)).status } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(statuses == [201, 202, 203, 204])
    #expect(Set(transport.requests) == Set((1...4).map(request)))
  }

  @Test func callsOfTheHandlerComeAtTheSameTime() async throws {
    let clock = ManualClock()
    let transport = StubTransport { _ in
      try await clock.sleep(for: .seconds(1))
      return HTTPResponse(status: 200)
    }
    async let first = transport.send(request(1))
    async let second = transport.send(request(2))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    #expect(try await [first.status, second.status] == [200, 200])
  }
}
