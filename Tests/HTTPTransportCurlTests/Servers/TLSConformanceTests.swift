// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import Testing
import TransportKit

extension ServerTests {
  /// The promises about the end of a response, over TLS.
  @Suite(.serialized) struct TLSConformanceTests {
    /// A transport that reaches a server on a port of 127.0.0.1 by way of the relay that puts TLS before it.
    private struct OverTLS: Transport {
      let http: CurlTransport
      let relay: Int

      func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        let port = try #require(request.url.port)
        var parts = try #require(URLComponents(url: request.url, resolvingAgainstBaseURL: false))
        (parts.scheme, parts.host, parts.port) = ("https", "p\(port).proxy.localhost", relay)
        request.url = try #require(parts.url)
        return try await http.send(request)
      }
    }

    /// Tests of the bytes of a response, and of the reuse of connections.
    ///
    /// Without the checks that go on as soon as the server has sent something, which the relay may still have.
    private static let checks = TransportConformance.allChecks.filter {
      [.framing, .connections].contains($0.group) && !$0.id.contains("late-extra-bytes")
    }

    @Test(arguments: checks)
    func keepsOverTLS(_ check: TransportConformance.Check) async throws {
      let servers = try Servers()
      let relay = try servers.port("relay")
      let kit = TransportConformance { limits in
        OverTLS(http: CurlTransport(limits: limits, tls: servers.trust, proxy: .none), relay: relay)
      }
      try await kit.run(check)
    }
  }
}
