// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import Testing

extension ServerTests {
  @Suite struct HandshakeTests {
    private let servers: Servers

    init() throws { servers = try Servers() }

    @Test(arguments: [
      ("http", "tls/handshake"),
      ("garbage-handshake", "tls/handshake"),
      ("malformed-hello", "tls/handshake"),
      ("oversized-record", "tls/handshake"),
      ("alert", "tls/handshake"),
      ("closes", "tls/handshake"),
      ("closes-at-once", "tls/handshake"),
      ("resets", "tls/handshake"),
      ("silent", "timedOut/connecting"),
      ("trickling-handshake", "timedOut/connecting"),
      ("closed", "unreachable/connectionRefused"),
    ])
    func aBrokenHandshakeIsReported(server: String, expected: String) async throws {
      for method in [HTTPMethod.get, .post] {
        let http = CurlTransport(tls: servers.trust, proxy: .none)
        let request = HTTPRequest(method, try servers.url(server), timeout: .seconds(1))
        let outcome = await timedOutcome(http, request)
        #expect(outcome == expected)
        let start = ContinuousClock.now
        let error = await #expect(throws: TransportError.self) { try await http.stream(request, body: nil) }
        #expect(error?.outcome == expected)
        #expect(ContinuousClock.now - start < .milliseconds(1250))
      }
    }

    @Test func aHandshakeIsCancelledPromptly() async throws {
      let http = CurlTransport(tls: servers.trust, proxy: .none)
      let request = HTTPRequest(.get, try servers.url("silent"), timeout: .seconds(30))
      let task = Task { try await http.send(request) }
      // The instant within the handshake: a server that is silent cannot signal it.
      try await Task.sleep(for: .milliseconds(200))
      let start = ContinuousClock.now
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(ContinuousClock.now - start < .milliseconds(250))
    }

    @Test(
      arguments: [
        ("cut-length", "truncated"),
        ("cut-length-notified", "truncated"),
        ("cut-chunks", "truncated"),
        ("cut-record", "truncated"),
        ("cut-head", "truncated"),
        ("corrupt-record", "truncated"),
        ("corrupt-head", "connectionLost"),
        ("plaintext-response", "connectionLost"),
        ("until-close", "truncated"),
        ("until-close-notified", "200"),
        ("until-reset", "truncated"),
        ("trickling-record", "timedOut/waiting"),
        ("closes-after-request", "connectionLost"),
      ], ["", "-1.2"])
    func aResponseThatTLSDoesNotCompleteIsNotComplete(_ row: (server: String, expected: String), version: String)
      async throws
    {
      let http = CurlTransport(tls: servers.trust, proxy: .none)
      for method in [HTTPMethod.get, .post] {
        let id = String.unique()
        let request = HTTPRequest(method, try servers.url(row.server + version, "/\(id)"), timeout: .seconds(1))
        let outcome = await timedOutcome(http, request)
        #expect(outcome == row.expected)
        // Only a GET may be sent again.
        let count = try await servers.log(id).count
        #expect(method == .get ? count >= 1 : count == 1)
        let streamed = await HTTPTransportCurlTests.outcome {
          let response = try await http.stream(request, body: nil)
          return HTTPResponse(status: response.status, body: try await response.body.bytes(upTo: 10_000))
        }
        #expect(streamed == row.expected, "streamed")
      }
    }
  }
}
