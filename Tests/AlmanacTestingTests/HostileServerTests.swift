// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite(.takesTurns)
struct HostileServerTests {
  @Test func requestsAreReadAsTheyCome() async throws {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    let client = try await RawClient.connect(to: server.port)
    await client.send("POST /a?b HTTP/1.1\r\nX-A: b\r\nX-A:c\r\nContent-Length: 3\r\n\r\nabcPUT / HTTP/1.1\r\n")
    await client.send("Transfer-Encoding: chunked\r\n\r\n2\r\nde\r\n0\r\n\r\n")
    await server.wait { $0.requests == 2 }
    await server.wait { $0.bytesWritten > 40 }
    let requests = server.requests
    #expect(requests.map(\.method) == ["POST", "PUT"])
    #expect(requests.map(\.target) == ["/a?b", "/"])
    #expect(requests.map(\.body) == [Array("abc".utf8), Array("de".utf8)])
    #expect(requests.map(\.number) == [1, 2])
    #expect(requests.map(\.connection) == [1, 1])
    #expect(requests.first?.fields.values(for: "x-a") == ["b", "c"])
    #expect(requests.map(\.isComplete) == [true, true])
  }

  @Test func aClientThatDoesNotReadStopsAFlood() async throws {
    let server = try HostileServer(greeting: [.flood("0123456789")], .close)
    defer { server.stop() }
    let client = try await RawClient.connect(to: server.port)
    await server.wait { $0.stalls > 0 }
    #expect(server.counts.bytesWritten > 10_000)
    withExtendedLifetime(client) {}
  }

  @Test func stoppingEndsEveryScript() async throws {
    let gate = try Gate()
    let scripts: [HostileServer.Step] = [
      .flood("0123456789"), .flood([97], bytesPerSecond: 10), .waitForClient, .wait(gate), .close,
    ]
    let server = try HostileServer { request in [scripts[request.connection - 1]] }
    var clients: [RawClient] = []
    for number in 1...scripts.count {
      let client = try await RawClient.connect(to: server.port)
      await client.send("GET / HTTP/1.1\r\n\r\n")
      await server.wait { $0.requests == number }
      clients.append(client)
    }
    #expect(server.counts.mostOpen == scripts.count)
    server.stop()
    await server.wait { $0.open == 0 }
    #expect(server.counts.connections == scripts.count)
  }

  @Test func everyStepSendsItsBytes() async throws {
    let gate = try Gate()
    let server = try HostileServer(
      greeting: [.send("hello\n")], .dribble("abc"), .wait(gate),
      .response(200, ["X-A": "b"], body: "ok"), .response(204), .response(304, body: [1]), .close)
    defer { server.stop() }
    let client = try await RawClient.connect(to: server.port)
    await client.send("GET / HTTP/1.1\r\n\r\n")
    await server.wait { $0.bytesWritten == 9 }
    #expect(server.counts.closed == 0)
    gate.open()
    gate.open()
    let text = try await client.readToEnd()
    #expect(
      text == "hello\nabcHTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 2\r\n\r\nok"
        + "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n")
    await server.wait { $0.closed == 1 }
    #expect(server.counts.bytesWritten == text.utf8.count)
  }

  @Test func aConnectionIsKeptUnlessTheScriptEndsIt() async throws {
    let server = try HostileServer { request in request.number < 3 ? [.response(200, body: "ok")] : [.reset] }
    defer { server.stop() }
    let client = try await RawClient.connect(to: server.port)
    for number in 1...2 {
      await client.send("GET /\(number) HTTP/1.1\r\n\r\n")
      _ = try await client.read { $0.hasSuffix("ok") }
      #expect(server.counts.open == 1)
    }
    await client.send("GET /3 HTTP/1.1\r\n\r\n")
    #expect(try await client.readToEnd() == "")
    await server.wait { $0.open == 0 }
    #expect(server.requests.map(\.description) == ["GET /1", "GET /2", "GET /3"])
  }

  @Test func aBodyThatIsNotReadIsNotWaitedFor() async throws {
    let server = try HostileServer(readsBody: false, .response(413), .close)
    defer { server.stop() }
    let client = try await RawClient.connect(to: server.port)
    await client.send("POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\nabc")
    #expect(try await client.read { $0.hasSuffix("\r\n\r\n") }.hasPrefix("HTTP/1.1 413 "))
    #expect(server.requests.map(\.isComplete) == [false])
    #expect(server.requests.map(\.body) == [[]])
  }

  @Test func aClientThatExpectsToBeAskedForItsBodyIs() async throws {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    let client = try await RawClient.connect(to: server.port)
    await client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    #expect(try await client.read { $0.hasSuffix("\r\n\r\n") } == "HTTP/1.1 100 Continue\r\n\r\n")
    await client.send("abc")
    #expect(try await client.read { $0.hasSuffix("\r\n\r\n") } == "HTTP/1.1 204 No Content\r\n\r\n")
    #expect(server.requests.map(\.body) == [Array("abc".utf8)])
  }

  @Test func aWaitEndsWithItsTask() async throws {
    let server = try HostileServer(.close)
    defer { server.stop() }
    let waiting = Task { await server.wait { $0.requests > 0 } }
    waiting.cancel()
    await waiting.value
    #expect(server.counts.requests == 0)
  }

  @Test func aServerThatHasStoppedTakesNoConnection() async throws {
    let server = try HostileServer(.response(204))
    server.stop()
    server.stop()
    if let client = try? await RawClient.connect(to: server.port) {
      await client.send("GET / HTTP/1.1\r\n\r\n")
      #expect(try await client.readToEnd() == "")
    }
    #expect(server.counts.requests == 0)
  }

  @Test func aTargetThatIsNoPartOfAURLEndsTheTest() async throws {
    let server = try HostileServer(.close)
    defer { server.stop() }
    #expect(server.url("/a?b=c").absoluteString == "http://127.0.0.1:\(server.port)/a?b=c")
    #expect(server.url().path() == "/")
    await #expect(processExitsWith: .failure) { _ = try HostileServer(.close).url(":/[") }
  }

  @Test func anErrorOfTheSystemIsDescribed() {
    let error = SocketError(description: "No port could be opened: error 24.")
    #expect(error.localizedDescription == "No port could be opened: error 24.")
  }
}
