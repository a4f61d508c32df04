// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

/// A request as raw bytes, the status it is to be refused with, and why.
struct Refusal: Sendable, CustomTestStringConvertible {
  let request: String
  let status: Int
  let testDescription: String

  init(_ status: Int, _ reason: String, _ request: String) {
    self.request = request
    self.status = status
    testDescription = reason
  }

  static let all = [
    Refusal(400, "no version", "GET /\r\n\r\n"),
    Refusal(400, "space after the version", "GET / HTTP/1.1 \r\nHost: HOST\r\n\r\n"),
    Refusal(400, "no method", " / HTTP/1.1\r\nHost: HOST\r\n\r\n"),
    Refusal(400, "no target", "GET  HTTP/1.1\r\nHost: HOST\r\n\r\n"),
    Refusal(501, "CONNECT", "CONNECT HOST HTTP/1.1\r\nHost: HOST\r\n\r\n"),
    Refusal(400, "relative target", "GET a HTTP/1.1\r\nHost: HOST\r\n\r\n"),
    Refusal(400, "one slash after the scheme", "GET http:/HOST/ HTTP/1.1\r\nHost: HOST\r\n\r\n"),
    Refusal(400, "another scheme", "GET ftp://HOST/ HTTP/1.1\r\nHost: HOST\r\n\r\n"),
    Refusal(400, "two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: HOST\r\n\r\n"),
    Refusal(400, "TLS", "\u{16}\u{3}\u{1}\u{2}\n"),

    Refusal(400, "no Host", "GET / HTTP/1.1\r\n\r\n"),
    Refusal(400, "no Host with HTTP/1.0", "GET / HTTP/1.0\r\n\r\n"),
    Refusal(400, "two Hosts", "GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n"),
    Refusal(400, "bare LF after the request line", "GET / HTTP/1.1\nHost: HOST\r\n\r\n"),
    Refusal(400, "bare LF after a field", "GET / HTTP/1.1\r\nHost: HOST\n\r\n"),
    Refusal(400, "CR twice", "GET / HTTP/1.1\r\r\nHost: HOST\r\n\r\n"),
    Refusal(400, "folded line", "GET / HTTP/1.1\r\nHost: HOST\r\nA: b\r\n c\r\n\r\n"),
    Refusal(400, "folded first line", "GET / HTTP/1.1\r\n Host: HOST\r\n\r\n"),
    Refusal(400, "no colon", "GET / HTTP/1.1\r\nHost: HOST\r\nabc\r\n\r\n"),
    Refusal(
      417, "unknown expectation", "POST / HTTP/1.1\r\nHost: HOST\r\nExpect: miracle\r\nContent-Length: 1\r\n\r\n"),

    post(417, "expectation twice", "Expect: 100-continue\r\nExpect: 100-continue\r\n\r\n"),
    post(400, "length and chunked", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    post(400, "chunked and length", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"),
    post(400, "two lengths", "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
    post(400, "the same length twice", "Content-Length: 1\r\nContent-Length: 1\r\n\r\na"),
    post(400, "list of lengths", "Content-Length: 1, 1\r\n\r\na"),
    post(413, "length beyond any integer", "Content-Length: 99999999999999999999999\r\n\r\n"),
    post(501, "another coding before chunked", "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    post(400, "chunked is not last", "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n"),
    post(400, "chunked twice", "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
    post(400, "chunked in two fields", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    post(400, "identity", "Transfer-Encoding: identity\r\n\r\n"),
    post(400, "empty coding", "Transfer-Encoding:\r\n\r\n"),
    post(400, "empty coding after chunked", "Transfer-Encoding: chunked,\r\n\r\n0\r\n\r\n"),
    post(400, "two empty codings", "Transfer-Encoding: chunked,,\r\n\r\n0\r\n\r\n"),
    post(501, "empty coding before chunked", "Transfer-Encoding: ,chunked\r\n\r\n0\r\n\r\n"),
    Refusal(
      400, "chunked with HTTP/1.0",
      "POST / HTTP/1.0\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    chunks(400, "another byte in place of the CR after a chunk", "1\r\nab\n0\r\n\r\n"),
    post(400, "almost chunked", "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
    post(400, "chunked with a Kelvin sign", "Transfer-Encoding: chun\u{212A}ed\r\n\r\n0\r\n\r\n"),

    chunks(400, "no size", "\r\n\r\n"),
    chunks(400, "more data than said", "1\r\nab\r\n0\r\n\r\n"),
    chunks(400, "data ends with a bare LF", "1\r\na\n0\r\n\r\n"),
    chunks(413, "size beyond any integer", "FFFFFFFFFFFFFFFFFF\r\n"),

    Refusal(431, "long field", "GET / HTTP/1.1\r\nHost: HOST\r\nA: \(String(repeating: "a", count: 5000))\r\n\r\n"),
    Refusal(
      431, "long field without an end", "GET / HTTP/1.1\r\nHost: HOST\r\nA: \(String(repeating: "a", count: 5000))"),
    Refusal(431, "many fields", "GET / HTTP/1.1\r\nHost: HOST\r\n\(String(repeating: "A: b\r\n", count: 1000))\r\n"),
  ]

  private static func post(_ status: Int, _ reason: String, _ rest: String) -> Refusal {
    Refusal(status, reason, "POST / HTTP/1.1\r\nHost: HOST\r\n" + rest)
  }

  private static func chunks(_ status: Int, _ reason: String, _ chunks: String) -> Refusal {
    post(status, reason, "Transfer-Encoding: chunked\r\n\r\n" + chunks)
  }
}

@Suite(.takesTurns)
struct RequestParsingTests {
  @Test(arguments: Refusal.all) func refusesAndCloses(refusal: Refusal) async throws {
    let limits = LoopbackServer.Limits(headerBytes: 4096, bodyBytes: 1000)
    try await withServer(limits: limits, unreachable) { server in
      // The second request must never be read: no reader can know where the first one ends.
      let response = try await server.exchange(refusal.request + "GET /smuggled HTTP/1.1\r\nHost: HOST\r\n\r\n")
      #expect(response.hasPrefix("HTTP/1.1 \(refusal.status) "))
      #expect(response.contains("\r\nConnection: close\r\n"))
      #expect(response.contains("\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"))
      #expect(response.hasSuffix(".\n"), "A sentence says what is wrong.")
      #expect(response.ranges(of: "HTTP/1.1").count == 1)
    }
  }

  @Test(arguments: [
    ("no content", "GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", "GET -1 "),
    ("HTTP/1.0 closes", "GET / HTTP/1.0\r\nHost: HOST\r\n\r\n", "GET -1 "),
    ("an expectation of HTTP/1.0 is ignored", "POST / HTTP/1.0\r\nHost: HOST\r\nExpect: miracle\r\n\r\n", "POST -1 "),
    ("list of options", "GET / HTTP/1.1\r\nHost: HOST\r\nConnection: TE, Close\r\n\r\n", "GET -1 "),
    ("no space after colons", "GET / HTTP/1.1\r\nHost:HOST\r\nConnection:close\r\n\r\n", "GET -1 "),
    ("any token is a method", "X-Y / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", "X-Y -1 "),
    ("length", "POST / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc", "POST 3 abc"),
    ("length zero", "POST / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", "POST 0 "),
    (
      "chunks with an extension and a trailer",
      "PUT / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nTransfer-Encoding: Chunked\r\n\r\n"
        + "3 ;a=\"b\"\r\nabc\r\n0A\r\n0123456789\r\n1a\r\nabcdefghijklmnopqrstuvwxyz\r\n000\r\nX: y\r\n\r\n",
      "PUT 39 abc0123456789abcdefghijklmnopqrstuvwxyz"
    ),
  ])
  func reads(what: String, request: String, expected: String) async throws {
    try await withServer(echo) { server in
      let response = try await server.exchange(request)
      #expect(response.hasSuffix("\r\n\r\n\(expected)"), "\(what)")
    }
  }

  @Test func readsARequestThatComesByteByByte() async throws {
    try await withServer(echo) { server in
      let client = try await RawClient.connect(to: server.port)
      let request =
        "POST / HTTP/1.1\r\nHost: \(server.authority)\r\nConnection: close\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
      for byte in request.utf8 { await client.send([byte]) }
      let response = try await client.readToEnd()
      #expect(response.hasSuffix("\r\n\r\nPOST 3 abc"))
    }
  }

  @Test func chunksBelongToOneRequest() async throws {
    try await withServer(echo) { server in
      let post = "POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n"
      let answer = try await server.exchange(
        "\(post)\r\n2\r\nab\r\n0\r\n\r\n\(post)Connection: close\r\n\r\n1\r\nc\r\n0\r\n\r\n")
      #expect(answer.contains("POST 2 ab"))
      #expect(answer.hasSuffix("\r\n\r\nPOST 1 c"))
    }
  }

  @Test func aChunkedRequestReachesTheHandlerWithItsLength() async throws {
    try await withServer { request in
      let fields = [request.fields["Transfer-Encoding"], request.fields["Content-Length"]]
      return HTTPResponse(status: 200, body: Array(fields.map { $0 ?? "nil" }.joined(separator: " ").utf8))
    } _: { server in
      let response = try await server.exchange(
        "POST / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n")
      #expect(response.hasSuffix("\r\n\r\nnil 2"))
    }
  }
}
