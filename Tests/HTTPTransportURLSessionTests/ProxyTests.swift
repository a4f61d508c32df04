// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import HTTPTransport
  import HTTPTransportURLSession
  import TestSupport
  import Testing
  import TransportKit

  /// Each test runs in a process of its own, since the environment belongs to the whole process.
  @Suite(.takesTurns)
  struct ProxyTests {
    @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
    func loopbackIsReachedDirectlyWhateverProxyIsSet(variable: String) async {
      await #expect(processExitsWith: .success) { [variable] in
        try await sendPastAProxy(variable, noProxy: nil)
      }
    }

    @Test func whatNoProxyNamesAlreadyIsKept() async {
      await #expect(processExitsWith: .success) {
        try await sendPastAProxy("http_proxy", noProxy: "internal.example, 10.0.0.1")
        let list = ProcessInfo.processInfo.environment["no_proxy"]
        let direct =
          "localhost,127.0.0.1,127.0.0.0/8,::1,169.254.0.0/16,169.254.169.254,fd20:ce::254,fd00:ec2::254,metadata.google.internal"
        #expect(list == "internal.example,10.0.0.1,\(direct)")
      }
    }

    @Test func theEnvironmentIsLeftAloneWithoutAProxy() async {
      await #expect(processExitsWith: .success) {
        removeProxies()
        let server = try HostileServer(.response(200))
        defer { server.stop() }
        _ = try await URLSessionTransport().send(HTTPRequest(.get, server.url()))
        #expect(ProcessInfo.processInfo.environment["no_proxy"] == nil)
      }
    }
  }

  private func removeProxies() {
    for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"] {
      unsafe unsetenv(name)  // the name lives through the call
    }
  }

  private func sendPastAProxy(_ variable: String, noProxy: String?) async throws {
    let proxy = try HostileServer(.response(502, ["Connection": "close"]), .close)
    defer { proxy.stop() }
    removeProxies()
    // The strings live through the calls, which copy them.
    unsafe setenv(variable, "http://127.0.0.1:\(proxy.port)", 1)
    if let noProxy { unsafe setenv("no_proxy", noProxy, 1) }
    let server = try HostileServer(.response(200))
    defer { server.stop() }
    let transport = URLSessionTransport()
    #expect(try await transport.send(HTTPRequest(.get, server.url())).status == 200)
    let byName = try #require(URL(string: "http://localhost:\(server.port)/"))
    #expect(try await transport.send(HTTPRequest(.get, byName)).status == 200)
    #expect(proxy.requests.isEmpty)
  }
#endif
