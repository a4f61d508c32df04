// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportCurl
import Testing
import TransportKit

extension ServerTests {
  /// The connection that is shut down when a server holds up the transport's thread.
  @Suite struct WatchdogTests {
    private let servers: Servers

    init() throws { servers = try Servers() }

    /// libcurl does not say which connection it reads from, and those of slow readers have most to read.
    @Test(arguments: ["window-update", "priority", "ping-ack"])
    func aFloodIsCutAndSlowReadersAreNot(kind: String) async throws {
      let size = 16 << 20
      let server = try HostileServer(.response(200, body: [UInt8](repeating: 0, count: size)))
      defer { server.stop() }
      let http = CurlTransport(limits: TransportLimits(bodyBytes: size), tls: servers.trust, proxy: .none)
      var slow: [StreamedResponse] = []
      for _ in 1...4 { slow.append(try await http.stream(HTTPRequest(.get, server.url()), body: nil)) }
      // They have more to read than is kept for them.
      await server.wait { $0.stalls >= 4 }
      // The flood may also be found before the request takes the connection, without the watchdog.
      var cut = 0
      for _ in 1...50 where cut < 2 {
        let id = String.unique()
        let flood = HTTPRequest(.get, try servers.url("http2", "/flood-after/\(kind)?id=\(id)"))
        #expect(try await http.send(flood).status == 200)
        try await servers.waitForLog("flood/\(id)")
        let next = HTTPRequest(.get, try servers.url("http2", "/ok"))
        let end = await outcome { try await http.send(next) }
        #expect(["connectionLost", "200"].contains(end))
        if end == "connectionLost" { cut += 1 }
      }
      #expect(cut == 2)
      for response in slow {
        var count = 0
        for try await piece in response.body { count += piece.count }
        #expect(count == size)
      }
    }
  }
}
