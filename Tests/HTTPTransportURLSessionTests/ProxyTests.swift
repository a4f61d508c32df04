// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import HTTPTransport
  import HTTPTransportURLSession
  import TestSupport
  import Testing
  import TransportKit

  /// The exemption of loopback from proxies, in its own process because the environment belongs to the process.
  @Suite(.takesTurns)
  struct ProxyTests {
    @Test func loopbackIsExemptFromAProxy() async {
      await #expect(processExitsWith: .success) {
        let proxy = try HostileServer(.response(502, ["Connection": "close"]), .close)
        let server = try HostileServer(.response(200))
        // The strings live through the calls, which copy them.
        for name in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "NO_PROXY"] { unsafe unsetenv(name) }
        unsafe setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
        unsafe setenv("no_proxy", "internal.example, 10.0.0.1", 1)
        let transport = URLSessionTransport()
        for host in ["127.0.0.1", "localhost"] {
          let url = try #require(URL(string: "http://\(host):\(server.port)/"))
          #expect(try await transport.send(HTTPRequest(.get, url)).status == 200)
        }
        #expect(proxy.requests.isEmpty)
        let list = ProcessInfo.processInfo.environment["no_proxy"]
        let direct =
          "localhost,127.0.0.1,127.0.0.0/8,::1,169.254.0.0/16,169.254.169.254,fd20:ce::254,fd00:ec2::254,metadata.google.internal"
        #expect(list == "internal.example,10.0.0.1,\(direct)")
      }
    }
  }
#endif
