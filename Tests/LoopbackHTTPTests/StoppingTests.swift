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
    let idle = try await RawClient.connect(to: server.port)
    await idle.send("GET / HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n")
    _ = try await idle.read { $0.hasSuffix("GET -1 ") }
    let half = try await RawClient.connect(to: server.port)
    await half.send("GET / HT")
    await server.stop(gracePeriod: .seconds(60))
    #expect(try await idle.readToEnd() == "")
    #expect(try await half.readToEnd() == "")
  }

  @Test func aRunningHandlerIsCancelledAndNotWaitedFor() async throws {
    let entered = Barrier(count: 2)
    let cancelled = Barrier(count: 2)
    let release = Barrier(count: 2)
    let server = try await LoopbackServer.start { _ in
      await entered.arrive()
      try? await Task.sleep(for: .seconds(60))
      #expect(Task.isCancelled)
      await cancelled.arrive()
      await release.arrive()  // a handler that does not end by itself
      return HTTPResponse(status: 200)
    }
    let client = try await RawClient.connect(to: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n")
    await entered.arrive()
    await server.stop()
    await #expect(throws: RawClient.Fault.self) { _ = try await RawClient.connect(to: server.port) }
    #expect(try await client.readToEnd() == "")
    await cancelled.arrive()
    await release.arrive()
  }

  @Test func aRequestBeingHandledIsAnsweredWithinTheGracePeriod() async throws {
    let entered = Barrier(count: 2)
    let release = Barrier(count: 2)
    let server = try await LoopbackServer.start { _ in
      await entered.arrive()
      await release.arrive()
      return HTTPResponse(status: 200, body: Array("done".utf8))
    }
    let client = try await RawClient.connect(to: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n")
    await entered.arrive()
    async let stopped: Void = server.stop(gracePeriod: .seconds(60))
    // The port closes at once; the response goes out afterwards.
    while (try? await RawClient.connect(to: server.port)) != nil { await Task.yield() }
    await release.arrive()
    #expect(try await client.readToEnd() == "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ndone")
    await stopped
  }

  /// The period of one stop does not begin anew with each event.
  @Test(arguments: [
    [Duration.milliseconds(50)], [.seconds(3600), .milliseconds(50)], [.milliseconds(50), .seconds(3600)],
  ])
  func handlerIsCancelledAtTheEndOfTheGracePeriod(_ periods: [Duration]) async throws {
    let entered = Barrier(count: 2)
    let cancelled = Barrier(count: 2)
    let server = try await LoopbackServer.start { _ in
      await entered.arrive()
      try? await Task.sleep(for: .seconds(3600))
      #expect(Task.isCancelled)
      await cancelled.arrive()
      return HTTPResponse(status: 200)
    }
    let client = try await RawClient.connect(to: server.port)
    await client.send("GET / HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n")
    await entered.arrive()
    await withTaskGroup { group in
      for period in periods { group.addTask { await server.stop(gracePeriod: period) } }
    }
    #expect(try await client.readToEnd() == "")
    await cancelled.arrive()
  }

  /// The connection is closed with its last response, whatever the client does, and no further request is handled.
  @Test func connectionsEndWithTheirResponsesAfterAStop() async throws {
    let entered = Barrier(count: 2)
    let release = Barrier(count: 2)
    var limits = LoopbackServer.Limits()
    limits.drainTimeout = .seconds(3600)
    let server = try await LoopbackServer.start(limits: limits) { request in
      #expect(request.lastPathComponent == "first")
      await entered.arrive()
      await release.arrive()
      return HTTPResponse(status: 204)
    }
    let client = try await RawClient.connect(to: server.port)
    let head = "HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n"
    await client.send("GET /first \(head)GET /second \(head)")
    await entered.arrive()
    async let stopped: Void = server.stop(gracePeriod: .seconds(3600))
    while (try? await RawClient.connect(to: server.port)) != nil { await Task.yield() }
    await release.arrive()
    await stopped
    #expect(try await client.readToEnd() == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
  }
}
