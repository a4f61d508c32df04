// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

@Suite(.takesTurns) struct ExecutorTests {
  @Test func aTaskStaysOnTheThreadFromTheRequestToTheResponse() async throws {
    let server = try HostileServer(.response(200, body: "ok"))
    defer { server.stop() }
    let http = CurlTransport()
    let outside = ThreadNumber.current
    try await withTaskExecutorPreference(http.executor) {
      let first = ThreadNumber.current
      #expect(first != outside)
      for _ in 1...3 {
        _ = try await http.send(HTTPRequest(.get, server.url()))
        #expect(ThreadNumber.current == first)
      }
      let body = try await http.stream(HTTPRequest(.get, server.url()), body: nil).body
      #expect(try await body.bytes(upTo: 2) == Array("ok".utf8))
      #expect(ThreadNumber.current == first)
    }
  }

  @Test func aBodyThatIsReadOnTheThreadArrivesWhole() async throws {
    let body = [UInt8](repeating: 0x61, count: 3_000_000)
    let server = try HostileServer(.response(200, body: body))
    defer { server.stop() }
    let http = CurlTransport()
    try await withTaskExecutorPreference(http.executor) {
      let request = HTTPRequest(.put, server.url())
      let response = try await http.stream(request, body: BodyStream(body))
      var count = 0
      for try await chunk in response.body {
        count += chunk.count
        await Task.yield()
      }
      #expect(count == body.count)
    }
    #expect(server.requests.first?.body == body)
  }

  @Test func tasksOnTheThreadSendAtTheSameTime() async throws {
    let gate = try Gate()
    let server = try HostileServer(.wait(gate), .response(200))
    defer { server.stop() }
    let http = CurlTransport()
    try await withTaskExecutorPreference(http.executor) {
      try await withThrowingTaskGroup { group in
        for _ in 1...6 { group.addTask { try await http.send(HTTPRequest(.get, server.url())).status } }
        await server.wait { $0.requests == 6 }
        gate.open()
        for try await status in group { #expect(status == 200) }
      }
    }
  }

  @Test func tasksThatDoNotWaitHoldUpNoExchange() async throws {
    let server = try HostileServer(.response(200))
    defer { server.stop() }
    let http = CurlTransport()
    let yielding = Task(executorPreference: http.executor) {
      while !Task.isCancelled { await Task.yield() }
    }
    defer { yielding.cancel() }
    let sending = Task(executorPreference: http.executor) {
      try await http.send(HTTPRequest(.get, server.url(), timeout: .seconds(600))).status
    }
    #expect(try await sending.value == 200)
    #expect(try await http.send(HTTPRequest(.get, server.url(), timeout: .seconds(600))).status == 200)
  }

  @Test func aTaskGoesOnElsewhereWhenTheTransportIsGone() async throws {
    let executor = CurlTransport().executor
    for _ in 1...3 {
      let answer = await withTaskExecutorPreference(executor) {
        await Task.yield()
        return 42
      }
      #expect(answer == 42)
    }
  }

  @Test func aTaskGoesOnWhenItLetsGoOfTheTransport() async throws {
    let server = try HostileServer(.response(200))
    defer { server.stop() }
    var http: CurlTransport? = CurlTransport()
    let executor = try #require(http?.executor)
    let task = Task(executorPreference: executor) { [http] in
      try await http?.send(HTTPRequest(.get, server.url())).status
    }
    #expect(try await task.value == 200)
    let later = Task(executorPreference: executor) { [transport = http.take()] in
      var transport = transport
      _ = try await transport?.send(HTTPRequest(.get, server.url()))
      transport = nil
      for _ in 1...10 { await Task.yield() }
      return true
    }
    #expect(try await later.value)
  }
}
