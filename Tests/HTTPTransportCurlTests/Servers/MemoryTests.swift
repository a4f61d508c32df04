// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import HTTPTransport
  import HTTPTransportCurl
  import TestSupport
  import Testing

  extension ServerTests {
    /// In a process of its own, whose memory nothing else uses.
    @Suite struct MemoryTests {
      @Test func noServerMakesTheTransportGrow() async {
        await #expect(processExitsWith: .success) {
          let servers = try Servers()
          let http = CurlTransport(limits: TransportLimits(bodyBytes: 1 << 20), tls: servers.trust, proxy: .none)
          func send(_ path: String) async throws {
            let request = HTTPRequest(.post, try servers.url("http2", path), body: [1], timeout: .milliseconds(500))
            _ = try? await http.send(request)
          }
          try await send("/ok")
          let before = try #require(ProcessUse.peakMemory)
          for path in [
            "/continuation-flood/fields", "/continuation-flood/empty", "/header-bomb", "/many-fields/10000",
            "/large-field/200000", "/endless-informational", "/endless-trailers", "/endless-data",
            "/endless-data-beyond-window", "/gzip-bomb", "/flood/settings/deaf", "/flood/ping/deaf",
            "/flood/ping/reading", "/flood/window-update/reading", "/flood/empty-data/reading", "/flood/unknown/deaf",
            "/frame/length-only", "/frame/goaway-too-large",
          ] {
            for _ in 1...3 { try await send(path) }
          }
          let growth = try #require(ProcessUse.peakMemory) - before
          #expect(growth < 64 << 20)
        }
      }
    }
  }
#endif
