// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// Behaviour that no other transport promises.
@Suite(.takesTurns) struct CurlTransportTests {
  private func received(
    _ method: HTTPMethod = .get, _ fields: HTTPFields = [:], body: [UInt8]? = nil,
    by transport: CurlTransport = CurlTransport()
  ) async throws -> HTTPFields {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    _ = try await transport.send(HTTPRequest(method, server.url(), fields: fields, body: body))
    return try #require(server.requests.first).fields
  }

  @Test func userAgentIsTheTransportsUnlessTheRequestHasOne() async throws {
    #expect(try await received().values(for: "User-Agent") == ["almanac"])
    #expect(try await received(.get, ["user-agent": "other"]).values(for: "User-Agent") == ["other"])
    let anonymous = CurlTransport(userAgent: nil)
    #expect(try await received(by: anonymous).values(for: "User-Agent") == [])
  }

  @Test(arguments: ["a\r\nAuthorization: x", "a\nb", "a\u{0}b"])
  func userAgentWithAControlCharacterIsRefused(_ agent: String) async throws {
    let error = await #expect(throws: TransportError.self) {
      try await received(by: CurlTransport(userAgent: agent))
    }
    #expect(error?.code == .invalidRequest && error?.message.contains("user agent") == true)
  }

  /// libcurl asks before it sends a megabyte or more, and waits a second for a server that does not answer.
  @Test(arguments: [HTTPMethod.post, .put]) func largeBodyWaitsForNoPermission(_ method: HTTPMethod) async throws {
    let fields = try await received(method, body: [UInt8](repeating: 0, count: 2 << 20))
    #expect(fields.values(for: "Expect") == [])
    #expect(fields.values(for: "Content-Length") == ["\(2 << 20)"])
    #expect(fields.values(for: "Content-Type") == [])
  }

  /// libcurl before 8.3 loses the zone of a URL that is passed parsed; FoundationEssentials parses `http://bücher.example/` so.
  @Test(arguments: ["http://[fe80::1%25eth0]/", "http://b%C3%BCcher.example/"])
  func hostThatLibcurlDoesNotTakeIsRefused(_ text: String) async throws {
    let url = try #require(URL(string: text))
    let error = await #expect(throws: TransportError.self) { try await CurlTransport().send(HTTPRequest(.get, url)) }
    #expect(error?.code == .invalidRequest)
  }

  /// The length of a streamed body is known if the head tells it and nothing is decoded.
  @Test(
    arguments: [
      ("content-LENGTH:\t5 ", "hello", 5), ("Content-Length: 5\r\nContent-Length: 5", "hello", 5),
      ("X-Content-Length: 7", "hello", nil), ("Trailer: 7", "hello", nil), ("Content-Length: 0", "", 0),
      ("Transfer-Encoding: chunked\r\nContent-Length: 7", "5\r\nhello\r\n0\r\n\r\n", nil),
    ] as [(String, String, Int?)])
  func lengthOfAStreamedBody(_ fields: String, _ body: String, _ length: Int?) async throws {
    let server = try HostileServer(.send("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)"), .close)
    defer { server.stop() }
    let response = try await CurlTransport().stream(HTTPRequest(.get, server.url()))
    #expect(response.body.length == length)
    #expect(try await response.body.bytes(upTo: 5).count == (length ?? 5))
  }

  // MARK: The deadline of sending

  private static func lateRequest(to server: HostileServer, before deadline: ContinuousClock.Instant) -> HTTPRequest {
    var request = HTTPRequest(.get, server.url())
    request.sendingDeadline = deadline
    return request
  }

  @Test func requestIsNotSentAfterItsDeadline() async throws {
    let server = try HostileServer(.response(200))
    defer { server.stop() }
    let request = Self.lateRequest(to: server, before: .now - .milliseconds(1))
    let error = await #expect(throws: TransportError.self) { try await CurlTransport().send(request) }
    #expect(error?.code == .sendingDeadlinePassed)
    #expect(server.counts.requests == 0)
  }

  @Test func requestThatWaitsForAConnectionUntilAfterItsDeadlineIsNotSent() async throws {
    let gate = try Gate()
    let server = try HostileServer(.wait(gate), .response(200))
    defer { server.stop() }
    var limits = TransportLimits()
    limits.connectionsPerHost = 1
    let http = CurlTransport(limits: limits)
    let first = Task { try await http.send(HTTPRequest(.get, server.url())).status }
    await server.wait { $0.requests == 1 }
    let request = Self.lateRequest(to: server, before: .now + .milliseconds(50))
    let second = Task { try await http.send(request).status }
    while !request.isTooLate { try await Task.sleep(for: .milliseconds(10)) }
    gate.open()
    #expect(try await first.value == 200)
    let error = await #expect(throws: TransportError.self) { try await second.value }
    #expect(error?.code == .sendingDeadlinePassed)
    #expect(server.counts.requests == 1)
    // The transport stays usable.
    #expect(try await http.send(HTTPRequest(.get, server.url())).status == 200)
  }

  // MARK: Options

  @Test func optionsAreDescribedWithoutTheirSecrets() {
    let file = TLSOptions.PEM.file("/etc/ca.pem")
    let bytes = TLSOptions.PEM.bytes(Array("secret".utf8))
    let certificate = TLSOptions.ClientCertificate(certificate: bytes, key: file, password: "secret")
    #expect("\(file)" == "/etc/ca.pem" && "\(bytes)" == "PEM, 6 bytes")
    #expect("\(certificate)" == "client certificate PEM, 6 bytes")
    #expect("\(TLSOptions.ClientCertificate(certificate: file, key: bytes))" == "client certificate /etc/ca.pem")
    let proxy = ProxyOptions.url("http://user:secret@127.0.0.1:1")
    #expect("\(proxy)" == "proxy" && "\(ProxyOptions.none)" == "no proxy")
    for value in [file, bytes, certificate, proxy] as [Any] { #expect(Mirror(reflecting: value).children.isEmpty) }
    #expect(Set(ContentCoding.supported.map(\.description)).isSubset(of: ["gzip", "br", "zstd"]))
    #expect([ContentCoding.gzip, .brotli, .zstd].map(\.description) == ["gzip", "br", "zstd"])
  }
}
