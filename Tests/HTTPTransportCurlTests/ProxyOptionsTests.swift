// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// Cases in which no proxy may be used; `ServerTests` has the others.
@Suite(.takesTurns) struct ProxyOptionsTests {
  /// A proxy that refuses every connection.
  private static let closed = "http://user:secret@127.0.0.1:1"

  private static func status(_ proxy: ProxyOptions) async throws -> Int {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    return try await CurlTransport(proxy: proxy).send(HTTPRequest(.get, server.url())).status
  }

  @Test func loopbackIsReachedDirectly() async throws {
    #expect(try await Self.status(.url(Self.closed)) == 204)
  }

  @Test func descriptionHoldsNoURL() {
    #expect("\(ProxyOptions.url(Self.closed))" == "proxy")
    #expect("\(ProxyOptions.none)" == "no proxy")
    var text = ""
    dump(ProxyOptions.url(Self.closed), to: &text)
    #expect(!text.contains("secret"))
  }

  // The environment belongs to the whole process, so these run in processes of their own.

  @Test func environmentIsNotReadUnlessItIsToBe() async {
    await #expect(processExitsWith: .success) {
      // The strings live through the call, which copies them.
      unsafe setenv("http_proxy", Self.closed, 1)
      let status = try await Self.status(.none)
      #expect(status == 204)
      #expect("\(ProxyOptions.environment)" == "proxy")
    }
  }

  /// A web server may have set it from a request's `Proxy` field.
  @Test func httpProxyInCapitalsIsIgnored() async {
    await #expect(processExitsWith: .success) {
      for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] { unsafe unsetenv(name) }
      unsafe setenv("HTTP_PROXY", Self.closed, 1)
      #expect("\(ProxyOptions.environment)" == "no proxy")
    }
  }
}
