// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

@Suite(.takesTurns) struct ContentCodingTests {
  /// "hello" in each coding.
  private static let hello: [(ContentCoding, [UInt8])] = [
    (
      .gzip,
      [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
      ]
    ),
    (.brotli, [0x0B, 0x02, 0x80, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x03]),
    (.zstd, [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x05, 0x29, 0, 0, 0x68, 0x65, 0x6C, 0x6C, 0x6F]),
  ]

  private static func server(_ coding: ContentCoding, _ body: [UInt8]) throws -> HostileServer {
    try HostileServer(.response(200, ["Content-Encoding": coding.description], body: body))
  }

  @Test(arguments: hello.filter { ContentCoding.supported.contains($0.0) })
  func everySupportedCodingIsAskedForAndUndone(_ coding: ContentCoding, _ body: [UInt8]) async throws {
    let server = try Self.server(coding, body)
    defer { server.stop() }
    let http = CurlTransport(accepting: ContentCoding.supported)
    let response = try await http.send(HTTPRequest(.get, server.url()))
    #expect(response.body == Array("hello".utf8))
    #expect(server.requests.first?.fields["Accept-Encoding"]?.contains(coding.description) == true)
  }

  @Test func aTransportAsksForGzipAloneUnlessItIsMadeToAcceptMore() async throws {
    let server = try Self.server(.gzip, Self.hello[0].1)
    defer { server.stop() }
    let response = try await CurlTransport().send(HTTPRequest(.get, server.url()))
    #expect(response.body == Array("hello".utf8))
    #expect(server.requests.first?.fields.values(for: "Accept-Encoding") == ["gzip"])
  }

  @Test(arguments: [true, false])
  func aCallersOwnCodingsAreAskedForOnce(isStreamed: Bool) async throws {
    let server = try Self.server(.gzip, Self.hello[0].1)
    defer { server.stop() }
    let request = HTTPRequest(.get, server.url(), fields: ["Accept-Encoding": "identity;q=0"])
    if isStreamed {
      _ = try await CurlTransport().stream(request, body: nil).body.bytes(upTo: 5)
    } else {
      _ = try await CurlTransport().send(request)
    }
    #expect(server.requests.first?.fields.values(for: "Accept-Encoding") == ["identity;q=0"])
  }

  @Test(arguments: hello.filter { ContentCoding.supported.contains($0.0) && $0.0 != .gzip })
  func aCodingThatIsNotAcceptedIsNeitherAskedForNorUndone(_ coding: ContentCoding, _ body: [UInt8]) async throws {
    let server = try Self.server(coding, body)
    defer { server.stop() }
    let http = CurlTransport(accepting: [.gzip])
    let error = await #expect(throws: TransportError.self) {
      try await http.send(HTTPRequest(.get, server.url()))
    }
    #expect(error?.code == .protocolViolation)
    #expect(error?.reason == .malformedEncoding)
    #expect(server.requests.first?.fields["Accept-Encoding"] == "gzip")
  }

  @Test func withoutCodingsTheBodyIsAsItCame() async throws {
    let server = try Self.server(.gzip, Self.hello[0].1)
    defer { server.stop() }
    let response = try await CurlTransport(accepting: []).send(HTTPRequest(.get, server.url()))
    #expect(response.body == Self.hello[0].1)
    #expect(response.fields["Content-Encoding"] == "gzip")
    #expect(server.requests.first?.fields["Accept-Encoding"] == nil)
  }
}
