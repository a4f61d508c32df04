// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import LoopbackHTTP
import Support
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite(.takesTurns)
struct ConnectionTests {
  @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
    try await withServer { request in
      HTTPResponse(status: 200, body: Array("[\(request.lastPathComponent)]".utf8))
    } _: { server in
      let requests = (1...20).map { "GET /\($0) HTTP/1.1\r\nHost: HOST\r\n\r\n" }.joined()
      let last = "GET /end HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n"
      let response = try await server.exchange(requests + last)
      #expect(response.ranges(of: "HTTP/1.1 200 OK\r\n").count == 21)
      let bodies = response.split(separator: "[").dropFirst().map { $0.prefix { $0 != "]" } }
      #expect(bodies == (1...20).map { "\($0)" } + ["end"])
    }
  }

  @Test func answersToHEADAndWithoutContentKeepTheFraming() async throws {
    try await withServer { request in
      HTTPResponse(status: Int(request.lastPathComponent) ?? 0, body: Array("content".utf8))
    } _: { server in
      let response = try await server.exchange(
        "HEAD /200 HTTP/1.1\r\nHost: HOST\r\n\r\nGET /204 HTTP/1.1\r\nHost: HOST\r\n\r\n"
          + "GET /304 HTTP/1.1\r\nHost: HOST\r\n\r\nGET /200 HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
      #expect(
        response == "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
          + "HTTP/1.1 304 Not Modified\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\ncontent")
    }
  }

  @Test func theHandlerMayCloseButNotFrame() async throws {
    try await withServer { _ in
      let fields: HTTPFields = ["connection": "close", "content-length": "99", "transfer-encoding": "chunked"]
      return HTTPResponse(status: 200, fields: fields, body: [0x61])
    } _: { server in
      let response = try await server.exchange("GET / HTTP/1.1\r\nHost: HOST\r\n\r\n")
      #expect(response == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\na")
    }
  }

  @Test(arguments: [
    HTTPResponse(status: 99), HTTPResponse(status: 100), HTTPResponse(status: 600),
    HTTPResponse(status: 200, fields: ["A": "b\r\nSet-Cookie: c"]), HTTPResponse(status: 200, fields: ["A b": "c"]),
  ])
  func anAnswerThatIsNotHTTPIsNotSent(response: HTTPResponse) async throws {
    try await withServer { _ in
      response
    } _: { server in
      let response = try await server.exchange("GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
      #expect(response.hasPrefix("HTTP/1.1 500 "))
      #expect(!response.contains("Set-Cookie"))
    }
  }

  @Test func aRefusalReachesAClientThatKeepsSending() async throws {
    try await withServer(limits: .init(bodyBytes: 10), unreachable) { server in
      let content = String(repeating: "a", count: 4_000_000)
      let response = try await server.exchange(
        "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: \(content.utf8.count)\r\n\r\n" + content)
      #expect(response.hasPrefix("HTTP/1.1 413 "))
    }
  }

  @Test func largeContentPassesBothWays() async throws {
    try await withServer(limits: .init(bodyBytes: 20_000_000)) { request in
      HTTPResponse(status: 200, body: request.body ?? [])
    } _: { server in
      let content = String(repeating: "0123456789", count: 1_000_000)
      let client = try await RawClient.connect(to: server.port)
      await client.send(
        "POST / HTTP/1.1\r\nHost: \(server.authority)\r\nConnection: close\r\n"
          + "Content-Length: \(content.utf8.count)\r\n\r\n" + content)
      let response = try await client.readToEnd()
      #expect(response.hasSuffix("\r\n\r\n" + content))
    }
  }

  @Test func bytesThatTrickleInDoNotExtendTheDeadline() async throws {
    try await withServer(limits: .init(requestTimeout: .milliseconds(50)), unreachable) { server in
      let client = try await server.client(sending: "GET / HTTP/1.1\r\n")
      // Sends until the server has had enough, for ten seconds at most.
      var sent = 0
      while sent < 1000, !(await client.hasInput()) {
        await client.send("A: b\r\n")
        sent += 1
      }
      #expect(sent < 1000)
      let response = try await client.readToEnd()
      #expect(response.hasPrefix("HTTP/1.1 408 "))
    }
  }

  @Test func anIdleConnectionIsClosedWithoutAWord() async throws {
    try await withServer(limits: .init(idleTimeout: .milliseconds(30)), unreachable) { server in
      let silence = try await server.exchange("")
      #expect(silence == "")
    }
  }

  @Test func aConnectionThatIsIdleAfterAnAnswerIsClosed() async throws {
    try await withServer(limits: .init(idleTimeout: .milliseconds(200)), echo) { server in
      // On a machine that is busy the connection may be idle for too long before its request arrives.
      var response = ""
      for _ in 0..<20 where response.isEmpty {
        response = try await server.exchange("GET / HTTP/1.1\r\nHost: HOST\r\n\r\n")
      }
      #expect(response.hasSuffix("\r\n\r\nGET -1 "))
    }
  }

  @Test func aClientThatTakesNoAnswerIsDropped() async throws {
    try await withServer(limits: .init(connections: 1, requestTimeout: .milliseconds(50))) { _ in
      HTTPResponse(status: 200, body: Array(repeating: 0x61, count: 50_000_000))
    } _: { server in
      let deaf = try await server.client(sending: "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n")
      // The only place is free again once the deaf client is dropped.
      let client = try await server.client(sending: "HEAD / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
      let response = try await client.readToEnd()
      #expect(response.hasPrefix("HTTP/1.1 200 "))
      withExtendedLifetime(deaf) {}
    }
  }

  /// A connection is not idle while its response is sent, however slowly it is read.
  @Test func connectionWithAResponseKeepsItsPlace() async throws {
    let size = 50_000_000
    try await withServer(limits: .init(connections: 1, requestTimeout: .seconds(600))) { _ in
      HTTPResponse(status: 200, body: Array(repeating: 0x61, count: size))
    } _: { server in
      let slow = try await server.client(sending: "GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
      while !(await slow.hasInput()) {}
      let waiting = try await server.client(sending: "HEAD / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
      #expect(!(await waiting.hasInput()))
      #expect(try await slow.readToEnd().utf8.count > size)
      #expect(try await waiting.readToEnd().hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func manyConnectionsAreServedAtOnce() async throws {
    let gate = AsyncGate()
    try await withServer { request in
      try? await gate.pass()
      return HTTPResponse(status: 200, body: Array(request.lastPathComponent.utf8))
    } _: { server in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...64 {
          group.addTask {
            let response = try await server.exchange(
              "GET /\(number) HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
            #expect(response.hasSuffix("\r\n\r\n\(number)"))
          }
        }
        await gate.waitForArrival(count: 64)
        await gate.open()
        try await group.waitForAll()
      }
    }
  }

  /// A client that has closed its side while its request was handled has left: its other requests are not handled.
  @Test func requestsOfAClientThatHasLeftAreNotHandled() async throws {
    let gate = AsyncGate()
    try await withServer { request in
      #expect(request.lastPathComponent == "first")
      try? await gate.pass()
      try? await Task.sleep(for: .seconds(3600))
      #expect(Task.isCancelled)
      return HTTPResponse(status: 204)
    } _: { server in
      let client = try await RawClient.connect(to: server.port)
      let head = "HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n"
      await client.send("GET /first \(head)GET /second \(head)")
      await gate.waitForArrival()
      await gate.open()
      await client.finish()
      #expect(try await client.readToEnd() == "HTTP/1.1 204 No Content\r\n\r\n")
    }
  }

  /// The end of a response that is the last is the end of what the server sends, before the client has closed its side.
  @Test(arguments: ["GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", "X\r\n\r\n"])
  func lastResponseEndsTheSendingSide(_ request: String) async throws {
    var limits = LoopbackServer.Limits()
    limits.drainTimeout = .seconds(3600)
    try await withServer(limits: limits, echo) { server in
      let response = try await server.exchange(request)
      #expect(response.contains("\r\nConnection: close\r\n\r\n"))
    }
  }

  /// A client that does not close its side has its place for the drain's time only.
  @Test(arguments: [("X\r\n\r\n", 400), ("GET / HT", 408)])
  func drainHasATimeLimit(_ request: String, _ status: Int) async throws {
    var limits = LoopbackServer.Limits(connections: 1, requestTimeout: .milliseconds(50))
    limits.drainTimeout = .milliseconds(50)
    try await withServer(limits: limits, echo) { server in
      let client = try await RawClient.connect(to: server.port)
      await client.send(request)
      #expect(try await client.readToEnd().hasPrefix("HTTP/1.1 \(status) "))
      let next = try await server.exchange("GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
      #expect(next.hasPrefix("HTTP/1.1 200 "))
      withExtendedLifetime(client) {}
    }
  }

  #if os(Linux)
    /// Programs inherit neither socket, no call waits at them, and small responses are sent at once.
    @Test func socketsArePrivateAndNeverBlock() async throws {
      try await withServer(echo) { server in
        let client = try await server.client(sending: "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n")
        _ = try await client.read { $0.hasSuffix("GET -1 ") }
        let sockets = OpenDescriptors.all.filter { RawSocket.localPort(of: $0) == server.port }
        #expect(sockets.count == 2)
        for socket in sockets {
          #expect(fcntl(socket, F_GETFL) & O_NONBLOCK != 0 && fcntl(socket, F_GETFD) & FD_CLOEXEC != 0)
          let isListener = RawSocket.value(of: socket, SOL_SOCKET, SO_ACCEPTCONN) != 0
          #expect(isListener || RawSocket.value(of: socket, Int32(IPPROTO_TCP), TCP_NODELAY) != 0)
        }
        withExtendedLifetime(client) {}
      }
    }

  #endif
}
