// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

@Suite(.takesTurns) struct ContentCodingTests {
  /// "hello" in each coding.
  static let hello: [ContentCoding: [UInt8]] = [
    .gzip: [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ],
    .brotli: [0x0B, 0x02, 0x80, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x03],
    .zstd: [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x05, 0x29, 0, 0, 0x68, 0x65, 0x6C, 0x6C, 0x6F],
  ]

  /// Receives "hello" in a coding, and returns the body and the accepted codings that the server received.
  private static func receive(
    _ coding: ContentCoding, by http: CurlTransport
  ) async throws -> (result: Result<[UInt8], any Error>, accepted: [String]) {
    let server = try HostileServer(.response(200, ["Content-Encoding": coding.description], body: hello[coding] ?? []))
    defer { server.stop() }
    let result = await Result { try await http.send(HTTPRequest(.get, server.url())).body }
    return (result, server.requests.first?.fields.values(for: "Accept-Encoding") ?? [])
  }

  @Test(arguments: ContentCoding.supported)
  func everySupportedCodingIsAskedForAndUndone(_ coding: ContentCoding) async throws {
    let (result, accepted) = try await Self.receive(coding, by: CurlTransport(accepting: ContentCoding.supported))
    #expect(try result.get() == Array("hello".utf8))
    #expect(accepted.count == 1 && accepted[0].contains(coding.description))
  }

  /// By default, a transport accepts gzip alone.
  @Test(arguments: ContentCoding.supported)
  func aCodingThatIsNotAcceptedIsNeitherAskedForNorUndone(_ coding: ContentCoding) async throws {
    let (result, accepted) = try await Self.receive(coding, by: CurlTransport())
    #expect(accepted == ["gzip"])
    guard coding != .gzip else { return #expect(try result.get() == Array("hello".utf8)) }
    let error = #expect(throws: TransportError.self) { try result.get() }
    #expect(error?.code == .protocolViolation && error?.reason == .malformedEncoding)
  }

  @Test func withoutCodingsTheBodyIsAsItCame() async throws {
    let (result, accepted) = try await Self.receive(.gzip, by: CurlTransport(accepting: []))
    #expect(try result.get() == Self.hello[.gzip] && accepted.isEmpty)
  }
}
