// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import Testing

extension ServerTests {
  /// The proxies lead every name under `origin.test` to nginx.
  ///
  /// Names under `localhost` can be reached directly too.
  @Suite struct ProxyTests {
    private let servers: Servers

    init() throws { servers = try Servers() }

    private func transport(_ proxy: String = "proxy", scheme: String = "http", user: String = "", except: [String] = [])
      throws -> CurlTransport
    {
      let url = "\(scheme)://\(user)127.0.0.1:\(try servers.port(proxy))"
      return CurlTransport(tls: servers.trust, proxy: .url(url, except: except))
    }

    private func request(_ url: String, _ method: HTTPMethod = .get, timeout: Duration = .seconds(5)) throws
      -> HTTPRequest
    {
      HTTPRequest(method, try #require(URL(string: url)), timeout: timeout)
    }

    // MARK: HTTP

    @Test func tlsGoesThroughATunnelAndNoSecretToTheProxy() async throws {
      let host = "\(String.unique()).origin.test"
      let http = try transport()
      var connections: Set<String?> = []
      for _ in 1...3 {
        var request = try request("https://\(host)/authorization")
        request.fields["Authorization"] = "Bearer secret"
        request.fields["Cookie"] = "secret=1"
        request.fields["DPoP"] = "secret"
        let response = try await http.send(request)
        #expect(response.text == "Bearer secret")
        #expect(response.fields["X-Protocol"] == "HTTP/2.0")
        connections.insert(response.fields["X-Connection"])
      }
      #expect(connections.count == 1)
      let stream = try await http.stream(request("https://\(host)/large"), body: nil)
      #expect(try await stream.body.bytes(upTo: 1 << 21).count == 1 << 20)

      let lines = try await servers.log(host).lines
      #expect(lines.count == 2)
      for line in lines {
        #expect(line.hasPrefix("CONNECT \(host):443 HTTP/1.1\r\n"))
        #expect(!line.lowercased().contains("authorization"))
        #expect(!line.lowercased().contains("secret"))
      }
    }

    @Test(arguments: [403, 407, 502])
    func aTunnelThatTheProxyRefusesIsUnreachable(status: Int) async throws {
      let host = "refuse-\(status)-\(String.unique()).origin.test"
      for method in [HTTPMethod.get, .post] {
        let outcome = await timedOutcome(try transport(), try request("https://\(host)/", method))
        #expect(outcome == "unreachable/proxy")
        let error = await #expect(throws: TransportError.self) {
          try await transport().stream(request("https://\(host)/", method), body: nil)
        }
        #expect(error?.outcome == "unreachable/proxy")
      }
      // A plain request has a response: the proxy's.
      let response = try await transport().send(request("http://\(host)/"))
      #expect(response.status == status)
      #expect(response.fields["X-From"] == "proxy")
    }

    @Test(arguments: [
      ("hang", ["timedOut/connecting"]),
      ("garbage", ["unreachable/proxy"]),
      ("close", ["unreachable/proxy"]),
      ("cut", ["tls/handshake"]),
      ("bomb", ["unreachable/proxy"]),
      ("endless", ["unreachable/proxy", "timedOut/connecting"]),
    ])
    func aBrokenTunnelIsReported(kind: String, expected: [String]) async throws {
      let host = "\(kind)-\(String.unique()).origin.test"
      for method in [HTTPMethod.get, .post] {
        let request = try request("https://\(host)/", method, timeout: .seconds(1))
        let outcome = await timedOutcome(try transport(), request)
        #expect(expected.contains(outcome), "\(outcome)")
      }
    }

    @Test func aProxyThatCannotBeReachedIsNamedAsTheCause() async throws {
      // Too long for a name, so that no server is asked.
      let unknown = String(repeating: "a", count: 64) + ".test"
      let closed = "127.0.0.1:\(try servers.port("closed"))"
      for proxy in [unknown + ":3128", closed] {
        let http = CurlTransport(tls: servers.trust, proxy: .url("http://\(proxy)"))
        for url in ["http://some.origin.test/", "https://some.origin.test/"] {
          let outcome = await timedOutcome(http, try request(url))
          #expect(outcome == "unreachable/proxy", "\(proxy)")
        }
      }
    }

    @Test func aServerThatRefusesIsNotBlamedOnAProxyThatWasPassedBy() async throws {
      let host = "\(String.unique()).localhost"
      let url = "http://\(host):\(try servers.port("closed"))/"
      let outcome = await timedOutcome(try transport(except: ["localhost"]), try request(url))
      #expect(outcome == "unreachable/connectionRefused")
    }

    @Test func credentialsInTheURLGoToTheProxyAlone() async throws {
      let http = try transport("proxy-credentials", user: "user:p%40ss%3Aword@")
      let host = "\(String.unique()).origin.test"
      #expect(try await http.send(request("https://\(host)/authorization")).text.isEmpty)
      #expect(try await http.send(request("http://\(host)/authorization")).text.isEmpty)
      #expect(try await servers.log(host).lines.count == 2)

      for user in ["", "user:wrong@"] {
        let http = try transport("proxy-credentials", user: user)
        let outcome = await timedOutcome(http, try request("https://\(host)/"))
        #expect(outcome == "unreachable/proxy")
        #expect(try await http.send(request("http://\(host)/")).status == 407)
      }
    }

    @Test func aProxyMaySpeakTLS() async throws {
      let host = "\(String.unique()).origin.test"
      let http = try transport("proxy-tls", scheme: "https")
      #expect(try await http.send(request("https://\(host)/short")).text == "short")
      #expect(try await http.send(request("http://\(host)/short")).text == "short")
      #expect(try await servers.log(host).lines.count == 2)

      let distrusting = CurlTransport(proxy: .url("https://127.0.0.1:\(try servers.port("proxy-tls"))"))
      for scheme in ["http", "https"] {
        let outcome = await timedOutcome(distrusting, try request("\(scheme)://\(host)/"))
        #expect(outcome == "unreachable/proxy")
      }
    }

    // MARK: Exceptions

    @Test(arguments: [
      ([], true),
      (["other.test"], true),
      (["NAME"], false),
      ([".NAME"], false),
      (["PARENT"], false),
      (["other.test", "PARENT"], false),
      (["localhost"], false),
      (["ocalhost"], true),
      (["*"], false),
    ])
    func exceptionsCoverNamesAndSubdomains(exceptions: [String], isProxied: Bool) async throws {
      let parent = "\(String.unique()).localhost"
      let exceptions = exceptions.map {
        $0.replacing("NAME", with: "name.\(parent)").replacing("PARENT", with: parent)
      }
      let url = "http://name.\(parent):\(try servers.port("http"))/short"
      #expect(try await transport(except: exceptions).send(request(url)).text == "short")
      #expect(try await servers.log("name.\(parent)").lines.isEmpty == !isProxied)
    }

    /// The proxy does not lead to addresses.
    ///
    /// Both hosts are this machine, and neither is a loopback address.
    @Test(arguments: [
      ("0.0.0.0", [], "502"),
      ("0.0.0.0", ["10.0.0.0/8", "1.0.0.0/8"], "502"),
      ("0.0.0.0", ["0.0.0.0/8"], "200"),
      ("0.0.0.0", ["0.0.0.0"], "200"),
      ("0.0.0.0", ["*"], "200"),
      ("[::ffff:7f00:1]", [], "502"),
      ("[::ffff:7f00:1]", ["::ffff:7f00:1"], "200"),
      ("[::ffff:7f00:1]", ["*"], "200"),
    ])
    func exceptionsCoverAddressesAndBlocks(host: String, exceptions: [String], expected: String) async throws {
      let url = try servers.url("http", "/short", scheme: "http", host: host)
      let outcome = await timedOutcome(try transport(except: exceptions), HTTPRequest(.get, url, timeout: .seconds(5)))
      #expect(outcome == expected)
    }

    // MARK: SOCKS

    @Test func socksLeadsToTheServer() async throws {
      let host = "\(String.unique()).origin.test"
      let http = try transport("socks", scheme: "socks5h")
      #expect(try await http.send(request("http://\(host)/short")).text == "short")
      #expect(try await http.send(request("https://\(host)/short")).text == "short")
      #expect(try await servers.log(host).lines == ["SOCKS", "SOCKS"])

      let known = try transport("socks-credentials", scheme: "socks5h", user: "user:p%40ss%3Aword@")
      #expect(try await known.send(request("https://\(host)/short")).text == "short")
      for user in ["", "user:wrong@"] {
        let unknown = try transport("socks-credentials", scheme: "socks5h", user: user)
        let outcome = await timedOutcome(unknown, try request("https://\(host)/short"))
        #expect(outcome == "unreachable/proxy")
      }
    }

    @Test(arguments: [
      ("refuse", "unreachable/proxy"), ("garbage", "unreachable/proxy"), ("hang", "timedOut/connecting"),
    ])
    func aBrokenSOCKSProxyIsReported(kind: String, expected: String) async throws {
      let host = "\(kind)-\(String.unique()).origin.test"
      let http = try transport("socks", scheme: "socks5h")
      let outcome = await timedOutcome(http, try request("http://\(host)/", timeout: .seconds(1)))
      #expect(outcome == expected)
    }
  }
}
