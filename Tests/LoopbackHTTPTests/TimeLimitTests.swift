// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

/// Limits of time: each ends what is late, and nothing else.
@Suite(.takesTurns) struct TimeLimitTests {
  private static func isTooLong(_ response: String) -> Bool { response.contains("HTTP/1.1 408 Request Timeout\r\n") }

  private static let whole = "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n"
  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nGET -1 "

  /// The first request on a connection and a later one, wherever it stops.
  @Test(
    arguments: [
      "G", "GET / HTTP/1.1\r", "GET / HTTP/1.1\r\nHost: HOST\r\n", "\r\nG",
      "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 2\r\n\r\na",
      "POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
    ], [0, 1, 2])
  func aRequestThatStopsIsRefused(_ part: String, _ before: Int) async throws {
    try await withServer(limits: .init(requestTimeout: .milliseconds(100)), echo) { server in
      let requests = String(repeating: Self.whole, count: before)
      let response = try await server.exchange(requests + part)
      #expect(response.hasPrefix(String(repeating: Self.answer, count: before) + "HTTP/1.1 408 Request Timeout\r\n"))
    }
  }

  @Test func aHandlerMayTakeLongerThanItsRequest() async throws {
    // On a busy machine, the request itself can exceed a limit. The next limit is then longer.
    for limit in [Duration.milliseconds(200), .seconds(2), .seconds(20)] {
      if try await response(ofHandlerThatTakesLongerThan: limit)
        == "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nGET 1 a"
      {
        return
      }
    }
    Issue.record("No handler was waited for.")
  }

  private func response(ofHandlerThatTakesLongerThan limit: Duration) async throws -> String {
    var response = ""
    try await withServer(limits: .init(requestTimeout: limit)) { request in
      // A request that begins later runs into the limit.
      for _ in 1...2 {
        guard let port = request.url.port, let client = try? await RawClient.connect(to: port) else { break }
        await client.send("GET / HT")
        #expect(Self.isTooLong(await (try? client.readToEnd()) ?? ""))
      }
      return await echo(request)
    } _: { server in
      let client = try await RawClient.connect(to: server.port)
      await client.send(
        "GET / HTTP/1.1\r\nHost: \(server.authority)\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
      // The request has begun, and has its limit.
      _ = try await client.read { $0.hasSuffix("\r\n\r\n") }
      await client.send("a")
      response = try await client.read { $0.hasSuffix("GET 1 a") || Self.isTooLong($0) }
    }
    return response
  }

  @Test func aConnectionThatWaitsHasTheLimitForThat() async throws {
    try await withServer(limits: .init(requestTimeout: .milliseconds(50), idleTimeout: .seconds(600)), echo) { server in
      let client = try await RawClient.connect(to: server.port)
      let request = Self.whole.replacing("HOST", with: server.authority)
      for _ in 1...2 {
        // One that waits longer than a request may take is not ended.
        #expect(Self.isTooLong(try await server.exchange("GET / HT")))
        await client.send(request)
        #expect(try await client.read { $0.hasSuffix("GET -1 ") } == Self.answer)
      }
    }
  }

  @Test(arguments: [86_399, 86_400, 3_000_000, 4_000_000_000_000])
  func limitsMayBeLongerThanTheSystemWaits(_ seconds: Int) async throws {
    let limits = LoopbackServer.Limits(requestTimeout: .seconds(seconds), idleTimeout: .seconds(seconds))
    try await withServer(limits: limits, echo) { server in
      let client = try await RawClient.connect(to: server.port)
      for _ in 1...2 {
        await client.send(Self.whole.replacing("HOST", with: server.authority))
        #expect(try await client.read { $0.hasSuffix("GET -1 ") } == Self.answer)
      }
    }
  }
}

/// Leave to send the content, refusals on a kept connection, and the number of connections.
@Suite(.takesTurns) struct ExchangeTests {
  private static func post(_ framing: String, _ server: LoopbackServer, version: String = "1.1") -> String {
    "POST / HTTP/\(version)\r\nHost: \(server.authority)\r\nConnection: close\r\nExpect: 100-Continue\r\n\(framing)\r\n\r\n"
  }

  /// It is given once, and only if the client may be waiting for it.
  @Test(arguments: [
    ("Content-Length: 3", "", "abc", true), ("Content-Length: 3", "ab", "c", true),
    ("Content-Length: 3", "abc", "", false), ("Content-Length: 0", "", "", false),
    ("Transfer-Encoding: chunked", "", "3\r\nabc\r\n0\r\n\r\n", true),
    ("Transfer-Encoding: chunked", "3\r\nabc\r\n0\r\n\r\n", "", false),
    ("Transfer-Encoding: chunked", "3", "\r\nabc\r\n0\r\n\r\n", false),
  ])
  func leaveIsGivenToAClientThatWaits(_ framing: String, _ first: String, _ rest: String, _ isGiven: Bool) async throws
  {
    try await withServer(echo) { server in
      let client = try await RawClient.connect(to: server.port)
      await client.send(Self.post(framing, server) + first)
      let leave = "HTTP/1.1 100 Continue\r\n\r\n"
      if isGiven { #expect(try await client.read { $0.hasSuffix("\r\n\r\n") } == leave) }
      for byte in rest.utf8 { await client.send([byte]) }
      let response = try await client.readToEnd()
      let body = framing.hasSuffix("0") ? "POST 0 " : "POST 3 abc"
      #expect(
        response == "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    }
  }

  @Test func aClientOfVersion1Point0IsGivenNoLeave() async throws {
    try await withServer(echo) { server in
      let client = try await RawClient.connect(to: server.port)
      await client.send(Self.post("Content-Length: 3", server, version: "1.0"))
      await client.send("abc")
      #expect(try await client.readToEnd().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  /// A refusal has its text, whatever the requests before it were.
  @Test(arguments: ["", "HEAD / HTTP/1.1\r\nHost: HOST\r\n\r\n"])
  func refusalsHaveTheirTextAfterAnyRequest(_ before: String) async throws {
    try await withServer(echo) { server in
      let response = try await server.exchange(before + "HEAD / HTTP/1.1\r\n\r\n")
      #expect(response.ranges(of: "HTTP/1.1 ").count == (before.isEmpty ? 1 : 2))
      #expect(response.contains("Connection: close\r\n\r\nA ") && response.hasSuffix(".\n"))
    }
  }

  /// As many connections as the limit says are kept; one more ends the one that has been idle longest, and no other.
  @Test(arguments: [1, 2, 3]) func connectionsAreKeptUpToTheirLimit(_ limit: Int) async throws {
    try await withServer(limits: .init(connections: limit), echo) { server in
      let request = "GET / HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n"
      func exchange(_ client: RawClient) async throws -> String {
        await client.send(request)
        return try await client.read { $0.hasSuffix("GET -1 ") }
      }
      var clients: [RawClient] = []
      for _ in 1...limit { clients.append(try await RawClient.connect(to: server.port)) }
      for _ in 1...2 {
        for client in clients { #expect(try await exchange(client).hasSuffix("GET -1 ")) }
      }
      let another = try await RawClient.connect(to: server.port)
      #expect(try await exchange(another).hasSuffix("GET -1 "))
      #expect(try await clients.removeFirst().readToEnd() == "")
      for client in clients + [another] { #expect(try await exchange(client).hasSuffix("GET -1 ")) }
    }
  }

  /// No connection that has a request is ended for another one, which waits.
  @Test func aConnectionTooManyWaitsForOneThatIsBusy() async throws {
    let gate = AsyncGate()
    try await withServer(limits: .init(connections: 2)) { request in
      if request.lastPathComponent == "busy" { try? await gate.pass() }
      return await echo(request)
    } _: { server in
      let busy = [try await RawClient.connect(to: server.port), try await RawClient.connect(to: server.port)]
      for client in busy { await client.send("GET /busy HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n") }
      await gate.waitForArrival(count: 2)
      let third = try await server.client(sending: "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n")
      await gate.open()
      for client in busy { #expect(try await client.read { $0.hasSuffix("GET -1 ") }.hasPrefix("HTTP/1.1 200 OK\r\n")) }
      #expect(try await third.read { $0.hasSuffix("GET -1 ") }.hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }
}
