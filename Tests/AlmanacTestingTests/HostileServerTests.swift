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

  @Test(arguments: [
    ("GET /a HTTP/1.1\r\nX-A: b\r\nX-A:c\r\n", "GET", "/a", [["X-A", "b"], ["X-A", "c"]]),
    ("GET /a  b c\r\n", "GET", "/a", []), ("GET\r\n", "GET", "", []), ("\r\n", "", "", []),
    ("  GET  /\r\n", "GET", "/", []),
    (
      "GET / HTTP/1.1\r\nX-A\r\n:b\r\nX-B:\r\nX-C:   d:e \r\n", "GET", "/",
      [["X-B", ""], ["X-C", "d:e"]]
    ),
  ])
  func headsAreReadAsFarAsTheyGo(_ head: String, _ method: String, _ target: String, _ fields: [[String]]) async throws
  {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    let client = try await RawClient.connect(to: server.port)
    await client.send(head + "\r\n")
    await server.wait { $0.requests == 1 }
    let request = try #require(server.requests.first)
    #expect(request.method == method && request.target == target)
    #expect(request.fields.map { [$0.name, $0.value] } == fields)
    #expect(request.description == "\(method) \(target)")
  }

  @Test func aBodyInSeveralPiecesIsReadWhole() async throws {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    let client = try await RawClient.connect(to: server.port)
    await client.send("PUT /1 HTTP/1.1\r\nContent-Length: 20\r\n\r\n0123456789")
    await server.wait { $0.requests == 1 }
    #expect(server.requests.map(\.isComplete) == [false])
    await client.send("abcdefghijPUT /2 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\na\r\n01234")
    await client.send("56789\r\n1F\r\n\(String(repeating: "x", count: 31))\r\n0\r\n\r\n")
    _ = try await client.read { $0.ranges(of: "HTTP/1.1 204").count == 2 }
    let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies == ["0123456789abcdefghij", "0123456789" + String(repeating: "x", count: 31)])
  }

  @Test(arguments: [
    "Content-Length: 4\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nab",
    "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nx\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\n0\r\n",
  ])
  func aBodyThatDoesNotComeToItsEndIsNotComplete(_ rest: String) async throws {
    let server = try HostileServer { _ in [.response(200, body: "handled")] }
    defer { server.stop() }
    let client = try await RawClient.connect(to: server.port)
    await client.send("POST / HTTP/1.1\r\n" + rest)
    await client.finish()
    #expect(try await client.readToEnd() == "")
    await server.wait { $0.open == 0 }
    #expect(server.requests.map(\.isComplete) == [false])
    #expect(server.requests.map(\.body) == [[]])
    #expect(Self.numbers(server.counts) == [1, 1, 0, 0, 1, 0, 0])
  }

  private static func numbers(_ counts: HostileServer.Counts) -> [Int] {
    [
      counts.requests, counts.connections, counts.open, counts.closed, counts.mostOpen, counts.bytesWritten,
      counts.stalls,
    ]
  }

  @Test func connectionsAndRequestsAreCounted() async throws {
    let gate = try Gate()
    let server = try HostileServer { $0.target == "/wait" ? [.wait(gate), .response(204)] : [.response(204), .close] }
    defer { server.stop() }
    let response = "HTTP/1.1 204 No Content\r\n\r\n"
    for number in 1...3 {
      do {
        let client = try await RawClient.connect(to: server.port)
        await client.send("GET /\(number) HTTP/1.1\r\n\r\n")
        #expect(try await client.readToEnd() == response)
      }
      await server.wait { $0.open == 0 }
    }
    var clients = [try await RawClient.connect(to: server.port), try await RawClient.connect(to: server.port)]
    for client in clients { await client.send("GET /wait HTTP/1.1\r\n\r\n") }
    await server.wait { $0.requests == 5 }
    #expect(Self.numbers(server.counts) == [5, 5, 2, 3, 2, 3 * response.utf8.count, 0])
    #expect(server.requests.prefix(3).map(\.connection) == [1, 2, 3])
    #expect(Set(server.requests.suffix(2).map(\.connection)) == [4, 5])
    #expect(server.requests.map(\.number) == [1, 1, 1, 1, 1])
    gate.open()
    for client in clients { #expect(try await client.read { $0.hasSuffix("\r\n\r\n") } == response) }
    #expect(server.counts.open == 2)
    clients = []
    await server.wait { $0.open == 0 }
    let last = try await RawClient.connect(to: server.port)
    await server.wait { $0.connections == 6 }
    #expect(server.counts.mostOpen == 2 && server.counts.open == 1)
    withExtendedLifetime(last) {}
  }

  @Test func aFloodWithARateTakesItsTime() async throws {
    let server = try HostileServer(greeting: [.flood("ab".bytes, bytesPerSecond: 100)], .close)
    defer { server.stop() }
    let client = try await RawClient.connect(to: server.port)
    let start = ContinuousClock.now
    let text = try await client.read { $0.utf8.count >= 10 }
    // Four pauses of 20 ms, each of which may be up to a millisecond short.
    #expect(ContinuousClock.now - start >= .milliseconds(75))
    #expect(text.hasPrefix("ababababab"))
  }

  @Test func aFloodOfFewBytesIsSentInLargePieces() async throws {
    let server = try HostileServer(greeting: [.flood("0123456789")], .close)
    defer { server.stop() }
    let client = try await RawClient.connect(to: server.port)
    let text = try await client.read { $0.utf8.count >= 200_000 }
    #expect(text.utf8.prefix(200_000).elementsEqual(String(repeating: "0123456789", count: 20_000).utf8))
  }

  @Test func aResetIsNoOrdinaryEnd() async throws {
    for (step, error) in [(HostileServer.Step.reset, ECONNRESET), (.close, 0)] {
      let server = try HostileServer(step)
      defer { server.stop() }
      let client = try await RawClient.connect(to: server.port)
      await client.send("GET / HTTP/1.1\r\n\r\n")
      // The end of the connection, whatever it is like.
      while await !client.hasInput() {}
      #expect(client.takeError() == error, "\(step)")
    }
  }

  #if os(Linux)
    @Test func withoutASocketLeftNothingStarts() async {
      await #expect(processExitsWith: .success) {
        var limit = rlimit()
        // The pointers are to a local.
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let before = limit.rlim_cur
        limit.rlim_cur = 3
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var texts: [String] = []
        for open in [{ _ = try HostileServer(.close) }, { _ = try Gate() }] {
          do { try open() } catch { texts.append("\(error)") }
        }
        limit.rlim_cur = before
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let text = "Opening a socket failed with error \(EMFILE)."
        #expect(texts == [text, text])
      }
    }

    /// In a process of its own, whose descriptors are counted.
    @Test func theKitAndItsServersLeaveNoDescriptorOpen() async {
      await #expect(processExitsWith: .success) {
        func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let ids = [
          "faults.refused", "time.connect", "redirects.unreachable-second-hop", "cancellation.while-connecting",
          "requests.fragment", "requests.method-get", "redirects.status-302",
        ]
        func runChecks() async throws {
          for check in TransportConformance.allChecks where ids.contains(check.id) {
            try? await TransportConformance { _ in
              StubTransport { request in
                // A connection that goes at once, but not to the port that accepts none.
                if request.url.path() != "/" { _ = try? await RawClient.connect(to: request.url.port ?? 80) }
                throw TransportError(.timedOut, "There is no response.")
              }
            }.run(check)
          }
          let gate = try Gate()
          let server = try HostileServer(.wait(gate))
          server.stop()
        }
        try await runChecks()
        let before = try descriptors()
        for _ in 1...10 { try await runChecks() }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        // Threads close the connections.
        while try descriptors() > before, clock.now < end { await Task.yield() }
        #expect(try descriptors() <= before)
      }
    }
  #endif

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
    let error = SocketError(description: "Opening a port failed with error 24.")
    #expect(error.localizedDescription == "Opening a port failed with error 24.")
  }
}
