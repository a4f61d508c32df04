// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

@Suite(.takesTurns) struct SendingDeadlineTests {
  private static func request(to server: HostileServer, before deadline: ContinuousClock.Instant) -> HTTPRequest {
    var request = HTTPRequest(.get, server.url())
    request.sendingDeadline = deadline
    return request
  }

  @Test func requestIsNotSentAfterItsDeadline() async throws {
    let server = try HostileServer(.response(200))
    defer { server.stop() }
    let request = Self.request(to: server, before: .now - .milliseconds(1))
    let error = await #expect(throws: TransportError.self) { try await CurlTransport().send(request) }
    #expect(error?.code == .sendingDeadlinePassed)
    #expect(server.counts.requests == 0)
  }

  @Test func requestThatWaitsForAConnectionUntilAfterItsDeadlineIsNotSent() async throws {
    let gate = try Gate()
    let server = try HostileServer(.wait(gate), .response(200))
    defer { server.stop() }
    var limits = TransportLimits()
    limits.connectionsPerHost = 1
    let http = CurlTransport(limits: limits)
    let first = Task { try await http.send(HTTPRequest(.get, server.url())).status }
    await server.wait { $0.requests == 1 }
    let request = Self.request(to: server, before: .now + .milliseconds(50))
    let second = Task { try await http.send(request).status }
    while !request.isTooLate { try await Task.sleep(for: .milliseconds(10)) }
    gate.open()
    #expect(try await first.value == 200)
    let error = await #expect(throws: TransportError.self) { try await second.value }
    #expect(error?.code == .sendingDeadlinePassed)
    #expect(server.counts.requests == 1)
    // The transport stays usable.
    #expect(try await http.send(HTTPRequest(.get, server.url())).status == 200)
  }
}
