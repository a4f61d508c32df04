// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import Testing
import TransportKit

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
        #expect(await timedOutcome(http, request) == expected)
        let streamed = await timedOutcome(of: request) {
          HTTPResponse(status: try await http.stream(request, body: nil).status)
        }
        #expect(streamed == expected, "streamed")
      }
    }

    @Test func aHandshakeIsCancelledPromptly() async throws {
      let gate = try Gate()
      // The server accepts the connection, and sends nothing.
      let server = try HostileServer(greeting: [.wait(gate)])
      defer {
        gate.open()
        server.stop()
      }
      let url = try #require(URL(string: "https://127.0.0.1:\(server.port)"))
      let request = HTTPRequest(.get, url, timeout: .seconds(600))
      let task = Task { try await CurlTransport(proxy: .none).send(request) }
      await server.wait { $0.open == 1 }
      task.cancel()
      // The time limit would be another error.
      await #expect(throws: CancellationError.self) { try await task.value }
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
