// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// Rules about messages and options, as tables.
@Suite(.takesTurns) struct RuleTableTests {
  // MARK: Responses

  /// The length of a streamed body is known if the head tells it and nothing is decoded.
  @Test(
    arguments: [
      ("Content-Length: 5", "hello", 5), ("content-LENGTH:\t5 ", "hello", 5), ("Content-Length: 5, 5", "hello", 5),
      ("Content-Length: 5\r\nContent-Length: 5", "hello", 5), ("Content-Length: 0005", "hello", 5),
      ("Content-Type: 5", "hello", nil), ("X-Content-Length: 7", "hello", nil), ("Content-Lengths: 7", "hello", nil),
      ("Trailer: 7", "hello", nil), ("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n", nil),
      ("Transfer-Encoding: chunked\r\nContent-Length: 7", "5\r\nhello\r\n0\r\n\r\n", nil),
      ("Content-Length: 0", "", 0),
    ] as [(String, String, Int?)])
  func lengthOfAStreamedBody(_ fields: String, _ body: String, _ length: Int?) async throws {
    let server = try HostileServer(.send("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)"), .close)
    defer { server.stop() }
    let response = try await CurlTransport().stream(HTTPRequest(.get, server.url()))
    #expect(response.body.length == length)
    #expect(try await response.body.bytes(upTo: 5).count == (length ?? 5))
  }

  @Test(arguments: [
    ("A:b", "b"), ("A: b ", "b"), ("A: \t b\tc \t ", "b\tc"), ("A:", ""), ("A: \t ", ""), ("A: b: c", "b: c"),
    ("A: \u{1}", "\u{1}"), ("A: \u{E9}", "\u{E9}"), ("A: b\r\n c", "b c"), ("A: b \t\r\n \t c\r\n\td", "b c d"),
    ("A:\r\n b", "b"),
  ])
  func valueOfAField(_ line: String, _ value: String) async throws {
    let server = try HostileServer(.send("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 0\r\n\r\n"), .close)
    defer { server.stop() }
    let fields = try await CurlTransport().send(HTTPRequest(.get, server.url())).fields
    #expect(fields.map(\.name) == ["A", "Content-Length"])
    #expect(fields["A"]?.trimmingPrefix { $0 == " " } == value[...])
  }

  @Test func manyFieldsKeepTheirOrder() async throws {
    let all = HTTPFields((0..<40).map { ("X-\($0 % 7)", "\($0)") })
    let server = try HostileServer(.response(204, all))
    defer { server.stop() }
    let response = try await CurlTransport().send(HTTPRequest(.get, server.url(), fields: all))
    #expect(response.fields == all)
    #expect(server.requests.first?.fields.filter { $0.name.hasPrefix("X-") }.map(\.value) == all.map(\.value))
  }

  // MARK: Errors

  // MARK: Options

  @Test func optionsAreDescribedWithoutTheirSecrets() {
    let file = TLSOptions.PEM.file("/etc/ca.pem")
    let bytes = TLSOptions.PEM.bytes(Array("secret".utf8))
    let certificate = TLSOptions.ClientCertificate(certificate: bytes, key: file, password: "secret")
    #expect("\(file)" == "/etc/ca.pem" && "\(bytes)" == "PEM, 6 bytes")
    #expect("\(certificate)" == "client certificate PEM, 6 bytes")
    #expect("\(TLSOptions.ClientCertificate(certificate: file, key: bytes))" == "client certificate /etc/ca.pem")
    for value in [file, bytes, certificate, ProxyOptions.none] as [Any] {
      #expect(Mirror(reflecting: value).children.isEmpty)
    }
    #expect(Set(ContentCoding.supported.map(\.description)).isSubset(of: ["gzip", "br", "zstd"]))
    #expect([ContentCoding.gzip, .brotli, .zstd].map(\.description) == ["gzip", "br", "zstd"])
  }
}
