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
    ("Content-Length: 5;", true), ("Content-Length: 5 5", true), ("Content-Length: 5, 6", true),
    ("Content-Length: 5,", true), ("Content-Length: ,5", true), ("Content-Length: /5", true),
    ("Content-Length: 5:", true),
    ("Content-Length: 5\r\nContent-Length: 6", true), ("Content-Length: \t5\t ", false),
    ("Content-Length: 5 , 5", false),
  ])
  func lengthIsOneNumber(_ fields: String, _ isRefused: Bool) async throws {
    let server = try HostileServer(.send("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhello"), .close)
    defer { server.stop() }
    let send = { try await CurlTransport().send(HTTPRequest(.get, server.url())) }
    guard isRefused else {
      #expect(try await send().body == Array("hello".utf8))
      return
    }
    let error = try await #require(throws: TransportError.self) { try await send() }
    #expect(error.code == .protocolViolation)
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

  @Test func whatCannotBeSentSaysWhy() async throws {
    let url = try #require(URL(string: "http://[fe80::1%25eth0]/"))
    let host = try await #require(throws: TransportError.self) {
      try await CurlTransport().send(HTTPRequest(.get, url))
    }
    #expect(
      host.message
        == "The host of the URL is not a name in ASCII or an IP address. Write an international domain name in its ASCII form (xn--…)."
    )
    // As FoundationEssentials parses `http://bücher.example/`.
    let name = try await #require(throws: TransportError.self) {
      try await CurlTransport().send(HTTPRequest(.get, URL(literal: "http://b%C3%BCcher.example/")))
    }
    #expect(name.message == host.message && name.code == host.code)
    let bodies = try await #require(throws: TransportError.self) {
      try await CurlTransport().stream(
        HTTPRequest(.post, URL(literal: "http://127.0.0.1:1/"), body: [1]), body: BodyStream([2]))
    }
    #expect(bodies.message == "The request already has a body. Remove it to send a streamed body.")
    #expect([host, bodies].allSatisfy { $0.code == .invalidRequest && $0.cause == nil })
  }

  @Test func theCauseHasLibcurlsNumber() async throws {
    let error = try await #require(throws: TransportError.self) {
      try await CurlTransport().send(HTTPRequest(.get, URL(literal: "http://127.0.0.1:1/")))
    }
    #expect(error.message == "http://127.0.0.1:1 refuses connections. Check the port, and that the server is running.")
    #expect(error.cause.map { "\($0)".hasSuffix(" (libcurl 7)") && !"\($0)".hasPrefix(" ") } == true)
  }

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
      for (variables, requests) in [
        ([:], []), (["http_proxy": url], [http]), (["https_proxy": url], [https]), (["HTTPS_PROXY": url], [https]),
        (["HTTP_PROXY": url], []), (["all_proxy": url], [http, https]), (["ALL_PROXY": url], [http, https]),
        (["http_proxy": "", "all_proxy": url], [http, https]), (["http_proxy": other, "all_proxy": url], [https]),
        (["https_proxy": other, "HTTPS_PROXY": url, "all_proxy": url], [http]),
        (["all_proxy": other, "ALL_PROXY": url], []), (["all_proxy": "", "ALL_PROXY": url], [http, https]),
        (["all_proxy": url, "no_proxy": "origin.invalid"], []), (["all_proxy": url, "NO_PROXY": "origin.invalid"], []),
        (["all_proxy": url, "no_proxy": "a.example", "NO_PROXY": "origin.invalid"], [http, https]),
        (["all_proxy": url, "no_proxy": "", "NO_PROXY": "origin.invalid"], []),
      ] as [([String: String], [String])] {
        // The strings live through the calls, which copy them.
        for name in names { unsafe unsetenv(name) }
        for (name, value) in variables { unsafe setenv(name, value, 1) }
        var found: [String] = []
        for scheme in ["http", "https"] {
          found += try await Self.seen("\(scheme)://origin.invalid/", .environment, server)
        }
        #expect(found == requests, "\(variables)")
      }
    }
  }

  @Test func codingsThatAreNotSupportedAreNotAskedFor() async throws {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    for codings in [ContentCoding.supported, Array(ContentCoding.supported.reversed())] {
      _ = try await CurlTransport(accepting: codings).send(HTTPRequest(.get, server.url()))
    }
    let all = ContentCoding.supported.map(\.description).joined(separator: ", ")
    #expect(server.requests.map { $0.fields["Accept-Encoding"] } == [all, all])
  }
}
