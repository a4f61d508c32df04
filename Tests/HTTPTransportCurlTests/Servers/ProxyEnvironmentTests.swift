// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import HTTPTransport
  import HTTPTransportCurl
  import Testing

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  extension ServerTests {
    /// Each test runs in a process of its own, since the environment belongs to the whole process.
    @Suite struct ProxyEnvironmentTests {
      @Test func httpProxyIsForHTTP() async {
        await #expect(processExitsWith: .success) {
          try await expect(["http_proxy": "PROXY"], http: true, https: false)
        }
      }

      @Test func httpsProxyIsForHTTPS() async {
        await #expect(processExitsWith: .success) {
          try await expect(["https_proxy": "PROXY"], http: false, https: true)
        }
        await #expect(processExitsWith: .success) {
          try await expect(["HTTPS_PROXY": "PROXY"], http: false, https: true)
        }
      }

      @Test func allProxyIsForBoth() async {
        await #expect(processExitsWith: .success) {
          try await expect(["all_proxy": "PROXY"], http: true, https: true)
        }
        await #expect(processExitsWith: .success) {
          try await expect(["ALL_PROXY": "PROXY", "http_proxy": "http://127.0.0.1:CLOSED"], http: nil, https: true)
        }
      }

      /// A web server may have set it from a request's `Proxy` field.
      @Test func httpProxyInCapitalsIsIgnored() async {
        await #expect(processExitsWith: .success) {
          try await expect(["HTTP_PROXY": "PROXY"], http: false, https: false)
        }
      }

      @Test func noProxyNamesExceptions() async {
        await #expect(processExitsWith: .success) {
          try await expect(["all_proxy": "PROXY", "no_proxy": "other.test, localhost"], http: false, https: false)
        }
        await #expect(processExitsWith: .success) {
          try await expect(["all_proxy": "PROXY", "NO_PROXY": "*"], http: false, https: false)
        }
        await #expect(processExitsWith: .success) {
          try await expect(["all_proxy": "PROXY", "no_proxy": "other.test"], http: true, https: true)
        }
      }

      @Test func loopbackIsReachedDirectly() async {
        await #expect(processExitsWith: .success) {
          try setProxies(["all_proxy": "http://127.0.0.1:CLOSED"])
          let servers = try Servers()
          let http = CurlTransport(tls: servers.trust)
          #expect(try await http.send(HTTPRequest(.get, servers.url("https", "/short"))).text == "short")
        }
      }

      @Test func theEnvironmentIsReadWhenTheTransportIsMade() async {
        await #expect(processExitsWith: .success) {
          try setProxies([:])
          let http = CurlTransport()
          try setProxies(["http_proxy": "http://127.0.0.1:CLOSED"])
          let url = try Servers().url("http", "/short", scheme: "http", host: "name.localhost")
          #expect(try await http.send(HTTPRequest(.get, url)).text == "short")
        }
      }
    }
  }

  /// Sends a request of each scheme, and checks which the proxy has seen; `nil` for one that the proxy cannot bring to its end.
  private func expect(_ environment: [String: String], http: Bool?, https: Bool) async throws {
    try setProxies(environment)
    let servers = try Servers()
    let transport = CurlTransport(tls: servers.trust)
    for (scheme, isProxied) in [("http", http), ("https", https)] {
      let host = "\(String.unique()).proxy.localhost"
      let url = try servers.url(scheme, "/short", scheme: scheme, host: host)
      let outcome = await outcome { try await transport.send(HTTPRequest(.get, url, timeout: .seconds(5))) }
      guard let isProxied else {
        #expect(outcome == "unreachable/proxy")
        continue
      }
      #expect(outcome == "200")
      #expect(try await servers.log(host).lines.isEmpty == !isProxied)
    }
  }

  private func setProxies(_ environment: [String: String]) throws {
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
      // The names live through the calls.
      unsafe unsetenv(name)
      unsafe unsetenv(name.uppercased())
    }
    let servers = try Servers()
    for (name, value) in environment {
      let value = value.replacing("PROXY", with: "http://127.0.0.1:\(try servers.port("proxy"))")
        .replacing("CLOSED", with: "\(try servers.port("closed"))")
      // The strings live through the call, which copies them.
      unsafe setenv(name, value, 1)
    }
  }
#endif
