// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// Requests after one another, which libcurl carries out with the same handle where they are of one kind.
@Suite(.takesTurns) struct KeptHandleTests {
  private static let ordinary = HostileServer.Step.response(200, ["Server": "test", "X-A": "1"], body: "ok")

  @Test func nothingOfARequestIsInTheNext() async throws {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    let http = CurlTransport()
    let requests = [
      HTTPRequest(.get, server.url("/a"), fields: ["Authorization": "Bearer secret", "User-Agent": "one"]),
      HTTPRequest(.get, server.url("/b?x=1")),
      HTTPRequest(.post, server.url("/c"), fields: ["Content-Type": "text/plain"], body: Array("first".utf8)),
      HTTPRequest(.post, server.url("/d"), body: Array("second and longer".utf8)),
      HTTPRequest(.post, server.url("/e")),
      HTTPRequest(.put, server.url("/f"), body: Array("third".utf8)),
      HTTPRequest(.head, server.url("/g")),
      HTTPRequest(.get, server.url("/h")),
      HTTPRequest(.get, server.url("/h#fragment"), body: Array("body of a GET".utf8)),
      HTTPRequest(.delete, server.url("/i")),
      HTTPRequest("REPORT", server.url("/j"), body: []),
      HTTPRequest(.get, server.url("/k"), fields: ["X-Empty": ""]),
    ]
    for request in requests + requests { _ = try await http.send(request) }
    for (sent, received) in zip(requests + requests, server.requests) {
      #expect(received.method == sent.method.rawValue)
      #expect(received.target == sent.url.path + (sent.url.query.map { "?" + $0 } ?? ""))
      #expect(received.body == sent.body ?? [])
      for name in ["Authorization", "Content-Type", "X-Empty"] {
        #expect(received.fields.values(for: name) == sent.fields.values(for: name), "\(name) of \(received)")
      }
      #expect(received.fields.values(for: "User-Agent") == [sent.fields["User-Agent"] ?? "almanac"])
      let length = sent.body.map(\.count) ?? (sent.method == .post ? 0 : nil)
      #expect(received.fields.values(for: "Content-Length") == (length.map { ["\($0)"] } ?? []), "of \(received)")
    }
    #expect(server.requests.count == 2 * requests.count)
  }

  @Test func proxyGetsTheURLOfEachRequest() async throws {
    let proxy = try HostileServer(Self.ordinary)
    defer { proxy.stop() }
    let http = CurlTransport(proxy: .url("http://127.0.0.1:\(proxy.port)"))
    let urls = ["http://one.test/a", "http://two.test/a", "http://two.test:8080/x/../a?b=c", "http://two.test/?d"]
    for url in urls { _ = try await http.send(HTTPRequest(.get, try #require(URL(string: url)))) }
    #expect(proxy.requests.map(\.target) == urls)
    #expect(proxy.requests.map { $0.fields["Host"] } == ["one.test", "two.test", "two.test:8080", "two.test"])
  }

  /// libcurl before 8.1 would add such a line to the last field of the response before, which it has freed.
  @Test(arguments: [
    "HTTP/1.1 200 OK\r\n folded: 1\r\n", "HTTP/1.1 200 OK\r\n\tfolded: 1\r\n", "HTTP/1.1 200 OK\r\n folded\r\n",
    "HTTP/1.1 103 Early Hints\r\n folded: 1\r\n\r\nHTTP/1.1 200 OK\r\n",
    "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n folded: 1\r\n",
    "HTTP/1.1 200 \(String(repeating: "OK ", count: 6000))\r\n folded: 1\r\n",
  ])
  func headThatBeginsWithAContinuationIsRefused(_ start: String) async throws {
    let head = start + "Content-Length: 2\r\n\r\nok"
    let server = try HostileServer { request in request.target == "/" ? [Self.ordinary] : [.send(head)] }
    defer { server.stop() }
    let http = CurlTransport()
    for _ in 0..<4 {
      let error = await #expect(throws: TransportError.self) {
        try await http.send(HTTPRequest(.get, server.url("/malformed")))
      }
      #expect(error?.code == .protocolViolation)
      #expect(error?.reason == .malformedHead)
      #expect(try await http.send(HTTPRequest(.get, server.url())).body == Array("ok".utf8))
    }
  }

  /// libcurl counts how often a handle has met a dead connection, over all its transfers.
  @Test func everyRequestMayMeetADeadConnection() async throws {
    let server = try HostileServer { request in request.number == 1 ? [Self.ordinary] : [.close] }
    defer { server.stop() }
    let http = CurlTransport()
    for _ in 0..<20 {
      #expect(try await http.send(HTTPRequest(.get, server.url())).body == Array("ok".utf8))
    }
    #expect(server.counts.connections == 20)
  }

  @Test func plainResponseAfterACompressedOne() async throws {
    let hello = try #require(ContentCodingTests.hello[.gzip])
    let server = try HostileServer { request in
      request.target == "/" ? [Self.ordinary] : [.response(200, ["Content-Encoding": "gzip"], body: hello)]
    }
    defer { server.stop() }
    let http = CurlTransport()
    for _ in 0..<3 {
      #expect(try await http.send(HTTPRequest(.get, server.url("/gzip"))).body == Array("hello".utf8))
      #expect(try await http.send(HTTPRequest(.get, server.url())).body == Array("ok".utf8))
    }
  }
}
