// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
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
}
