// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// The target of a request, which libcurl gets as text and parsed.
@Suite(.takesTurns) struct RequestTargetTests {
  @Test(arguments: ["/?", "/a?b=c?d", "/%2f%2F?c=%e4%E4&d=/?:@", "//double/../x/.", "/a;b=1,2?'()*!$", "/~a?b=%00"])
  func targetArrivesAsItIs(_ target: String) async throws {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    _ = try await CurlTransport().send(HTTPRequest(.get, server.url(target)))
    #expect(server.requests.map(\.target) == [target])
  }

  /// libcurl before 8.3 loses the zone of a URL that is passed parsed.
  @Test func zoneOfAnIPv6AddressIsRefused() async throws {
    let url = try #require(URL(string: "http://[fe80::1%25eth0]/"))
    let error = await #expect(throws: TransportError.self) { try await CurlTransport().send(HTTPRequest(.get, url)) }
    #expect(error?.code == .invalidRequest)
  }
}
