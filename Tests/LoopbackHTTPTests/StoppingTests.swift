// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.takesTurns)
struct StoppingTests {
  @Test func stoppingTwiceAndFromManyTasksIsFine() async throws {
    let server = try await LoopbackServer.start(handler: echo)
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...10 { group.addTask { await server.stop() } }
    }
    await server.stop(gracePeriod: .seconds(60))
  }

  @Test func connectionsAreGoneWhenStopReturns() async throws {
    let server = try await LoopbackServer.start(handler: echo)
    let idle = try await server.client(sending: "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n")
    _ = try await idle.read { $0.hasSuffix("GET -1 ") }
    let half = try await server.client(sending: "GET / HT")
    await server.stop(gracePeriod: .seconds(60))
    #expect(try await idle.readToEnd() == "")
    #expect(try await half.readToEnd() == "")
  }

  @Test func aRunningHandlerIsCancelledAndNotWaitedFor() async throws {
    let (start, end) = (AsyncGate(), AsyncGate())
    let server = try await LoopbackServer.start { _ in
      try? await start.pass()
      try? await Task.sleep(for: .seconds(60))
      #expect(Task.isCancelled)
      try? await end.pass()  // a handler that does not end by itself
      return HTTPResponse(status: 200)
    }
    let client = try await server.client(sending: "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n")
    await start.waitForArrival()
    await start.open()
    await server.stop()
    await #expect(throws: RawClient.Fault.self) { _ = try await RawClient.connect(to: server.port) }
    #expect(try await client.readToEnd() == "")
    await end.waitForArrival()
    await end.open()
  }

  /// The period of one stop does not begin anew with each event.
  @Test(arguments: [
    [Duration.milliseconds(50)], [.seconds(3600), .milliseconds(50)], [.milliseconds(50), .seconds(3600)],
  ])
  func handlerIsCancelledAtTheEndOfTheGracePeriod(_ periods: [Duration]) async throws {
    let (start, end) = (AsyncGate(), AsyncGate())
    let server = try await LoopbackServer.start { _ in
      try? await start.pass()
      try? await Task.sleep(for: .seconds(3600))
      #expect(Task.isCancelled)
      try? await end.pass()
      return HTTPResponse(status: 200)
    }
    let client = try await server.client(sending: "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n")
    await start.waitForArrival()
    await start.open()
    await withTaskGroup { group in
      for period in periods { group.addTask { await server.stop(gracePeriod: period) } }
    }
    #expect(try await client.readToEnd() == "")
    await end.waitForArrival()
    await end.open()
  }

  /// The port closes immediately, and the connection with its last response.
  ///
  /// The server does not wait for the client, and handles no further request.
  @Test func connectionsEndWithTheirResponsesAfterAStop() async throws {
    let gate = AsyncGate()
    var limits = LoopbackServer.Limits()
    limits.drainTimeout = .seconds(3600)
    let server = try await LoopbackServer.start(limits: limits) { request in
      #expect(request.lastPathComponent == "first")
      try? await gate.pass()
      return HTTPResponse(status: 204)
    }
    let client = try await RawClient.connect(to: server.port)
    let head = "HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n"
    await client.send("GET /first \(head)GET /second \(head)")
    await gate.waitForArrival()
    async let stopped: Void = server.stop(gracePeriod: .seconds(3600))
    while (try? await RawClient.connect(to: server.port)) != nil { await Task.yield() }
    await gate.open()
    await stopped
    #expect(try await client.readToEnd() == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
  }
}
