// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// The proxy of each request; `ServerTests` has what proxies do.
@Suite(.takesTurns) struct ProxyOptionsTests {
  /// The request as a proxy sees it, or nothing.
  private static func seen(_ url: String, _ proxy: ProxyOptions, _ server: HostileServer) async throws -> [String] {
    let before = server.requests.count
    let request = HTTPRequest(.get, try #require(URL(string: url)))
    _ = try? await CurlTransport(proxy: proxy).send(request)
    return server.requests.dropFirst(before).map(\.description)
  }

  @Test(
    arguments: [
      ("http://origin.invalid/a?b", [], ["GET http://origin.invalid/a?b"]),
      ("http://origin.invalid:8080/", [], ["GET http://origin.invalid:8080/"]),
      ("https://origin.invalid/a", [], ["CONNECT origin.invalid:443"]),
      ("http://origin.invalid/", ["origin.invalid"], []), ("http://origin.invalid/", [".invalid", "a.example"], []),
      ("http://origin.invalid/", ["a.example"], ["GET http://origin.invalid/"]),
    ] as [(String, [String], [String])])
  func proxyIsSentWhatItsURLIsFor(_ url: String, _ exceptions: [String], _ requests: [String]) async throws {
    let server = try HostileServer { $0.method == "CONNECT" ? [.close] : [.response(204)] }
    defer { server.stop() }
    let proxy = ProxyOptions.url("http://127.0.0.1:\(server.port)", except: exceptions)
    #expect(try await Self.seen(url, proxy, server) == requests)
    #expect(try await Self.seen(url, .none, server) == [])
  }

  /// The environment belongs to the whole process, so it is one of its own.
  @Test func proxiesOfTheEnvironment() async {
    await #expect(processExitsWith: .success) {
      let names = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "HTTP_PROXY",
      ]
      let server = try HostileServer { $0.method == "CONNECT" ? [.close] : [.response(204)] }
      let (url, other) = ("http://127.0.0.1:\(server.port)", "http://127.0.0.1:1")
      let (http, https) = ("GET http://origin.invalid/", "CONNECT origin.invalid:443")
      for name in names { unsafe unsetenv(name) }
      let old = CurlTransport(proxy: .environment)
      for (variables, requests) in [
        ([:], []), (["http_proxy": url], [http]), (["https_proxy": url], [https]), (["HTTPS_PROXY": url], [https]),
        (["HTTP_PROXY": url], []), (["all_proxy": url], [http, https]), (["ALL_PROXY": url], [http, https]),
        (["http_proxy": "", "all_proxy": url], [http, https]), (["http_proxy": other, "all_proxy": url], [https]),
        (["https_proxy": other, "HTTPS_PROXY": url, "all_proxy": url], [http]),
        (["all_proxy": other, "ALL_PROXY": url], []), (["all_proxy": "", "ALL_PROXY": url], [http, https]),
        (["all_proxy": url, "no_proxy": "origin.invalid"], []), (["all_proxy": url, "NO_PROXY": "origin.invalid"], []),
        (["all_proxy": url, "no_proxy": "a.example", "NO_PROXY": "origin.invalid"], [http, https]),
        (["all_proxy": url, "no_proxy": "", "NO_PROXY": "origin.invalid"], []),
        (["all_proxy": url, "no_proxy": "a.example, origin.invalid"], []), (["all_proxy": url, "NO_PROXY": "*"], []),
      ] as [([String: String], [String])] {
        // The strings live through the calls, which copy them.
        for name in names { unsafe unsetenv(name) }
        for (name, value) in variables { unsafe setenv(name, value, 1) }
        var found: [String] = []
        for scheme in ["http", "https"] {
          found += try await Self.seen("\(scheme)://origin.invalid/", .environment, server)
        }
        #expect(found == requests, "\(variables)")
        #expect(
          "\(ProxyOptions.environment)" == (requests.isEmpty && variables["all_proxy"] == nil ? "no proxy" : "proxy"))
      }
      // The environment is read when the transport is made, and not at all unless it is to be.
      for name in names { unsafe unsetenv(name) }
      unsafe setenv("http_proxy", url, 1)
      let request = HTTPRequest(.get, URL(literal: "http://origin.invalid/"))
      let seen = server.requests.count
      for transport in [old, CurlTransport(proxy: .none)] { _ = try? await transport.send(request) }
      #expect(server.requests.count == seen)
    }
  }

  @Test(arguments: ["127.0.0.1", "localhost"]) func loopbackIsReachedDirectly(_ host: String) async throws {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    let url = try #require(URL(string: "http://\(host):\(server.port)/"))
    #expect(try await CurlTransport(proxy: .url("http://127.0.0.1:1")).send(HTTPRequest(.get, url)).status == 204)
  }
}
