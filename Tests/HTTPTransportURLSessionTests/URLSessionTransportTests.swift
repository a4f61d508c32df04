// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportURLSession
import PlatformFoundation
import TestSupport
import Testing
import Timekeeping
import TransportKit

/// The properties of this transport alone; the conformance suite has the rest.
@Suite(.takesTurns)
struct URLSessionTransportTests {
  @Test func theDeadlineIsToldByTheClock() async throws {
    let server = try HostileServer(.waitForClient)
    defer { server.stop() }
    let transport = URLSessionTransport(clock: ImpatientClock())
    let error = await #expect(throws: TransportError.self) {
      _ = try await transport.send(HTTPRequest(.get, server.url()))
    }
    #expect(error?.code == .timedOut)
  }

  @Test(arguments: [.seconds(1e19), .seconds(Int64.max)] as [Duration])
  func anEndlessTimeoutIsNone(_ timeout: Duration) async throws {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    let request = HTTPRequest(.get, server.url(), timeout: timeout)
    #expect(try await URLSessionTransport().send(request).status == 204)
  }

  @Test func aGETWithABodyIsRefused() async throws {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    let error = await #expect(throws: TransportError.self) {
      _ = try await URLSessionTransport().send(HTTPRequest(.get, server.url(), body: [97]))
    }
    #expect(error?.code == .invalidRequest)
    #expect(server.counts.connections == 0)
  }

  @Test func fieldsThatComeMoreThanOnceKeepAllValues() async throws {
    let server = try HostileServer(.response(200, ["X-A": "1", "X-B": "2", "X-A": "3"]))
    defer { server.stop() }
    let response = try await URLSessionTransport().send(HTTPRequest(.get, server.url()))
    let values = response.fields.values(for: "X-A").joined(separator: ",").filter { $0 != " " }
    #expect(values == "1,3")
  }

  @Test func aBodyOutlivesItsTransport() async throws {
    let gate = try Gate()
    let server = try HostileServer(.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na"), .wait(gate), .send("b"))
    defer { server.stop() }
    let response = try await URLSessionTransport().stream(HTTPRequest(.get, server.url()))
    gate.open()
    #expect(try await response.body.bytes(upTo: 2) == Array("ab".utf8))
  }

  @Test(arguments: [(HTTPMethod.post, nil), (.post, "body"), (.put, "body")] as [(HTTPMethod, String?)])
  func aRequestThatMustNotBeSentTwiceTakesANewConnection(method: HTTPMethod, body: String?) async throws {
    let server = try HostileServer(.response(200))
    defer { server.stop() }
    let transport = URLSessionTransport()
    for _ in 1...3 {
      _ = try await transport.send(HTTPRequest(.get, server.url()))
      _ = try await transport.send(HTTPRequest(method, server.url(), body: body.map { Array($0.utf8) }))
    }
    let connections = server.requests.filter { $0.method != "GET" }.map(\.connection)
    #if canImport(FoundationNetworking)
      #expect(Set(connections).count == 3)
      #expect(Set(server.requests.filter { $0.method == "GET" }.map(\.connection)).count == 1)
      // And leaves none behind.
      await server.wait { $0.open == 1 }
    #endif
  }

  #if canImport(FoundationNetworking)
    @Test func aStreamedRequestBodyThatDoesNotEndIsTimedOut() async throws {
      let (pieces, continuation) = AsyncStream<[UInt8]>.makeStream()
      var request = HTTPRequest(.post, URL(literal: "http://127.0.0.1:1/"))
      request.timeout = .milliseconds(50)
      let error = await #expect(throws: TransportError.self) {
        try await URLSessionTransport().stream(request, body: BodyStream(pieces))
      }
      #expect(error?.code == .timedOut && error?.reason == .connecting)
      continuation.finish()
    }

    @Test func aStreamedRequestBodyHasAnUpperLimit() async throws {
      let server = try HostileServer(.response(204))
      defer { server.stop() }
      let chunks = AsyncStream<[UInt8]> { continuation in
        for _ in 0...16 { continuation.yield(Array(repeating: 97, count: 1 << 20)) }
        continuation.finish()
      }
      let error = await #expect(throws: TransportError.self) {
        _ = try await URLSessionTransport().stream(HTTPRequest(.put, server.url()), body: BodyStream(chunks))
      }
      #expect(error?.code == .invalidRequest)
    }

    @Test func aBodyThatIsNotReadIsTooLargeAtSomePoint() async throws {
      let server = try HostileServer(.send("HTTP/1.1 200 OK\r\n\r\n"), .flood("0123456789"))
      defer { server.stop() }
      let transport = URLSessionTransport(limits: TransportLimits(bodyBytes: 1 << 34))
      let response = try await transport.stream(HTTPRequest(.get, server.url()))
      await server.wait { $0.open == 0 }
      let error = await #expect(throws: TransportError.self) { _ = try await response.body.bytes(upTo: .max) }
      #expect(error?.code == .tooLarge && error?.reason == .expansion)
    }
  #endif
}

/// A clock on which every wait is over at once.
private struct ImpatientClock: WallClock {
  var now: Timestamp { .unixEpoch }

  func sleep(for duration: Duration) async throws {}
}
