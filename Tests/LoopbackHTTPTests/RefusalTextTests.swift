// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

/// The responses to refused requests: the status with its reason phrase, and a text that says what is wrong.
@Suite(.takesTurns) struct RefusalTextTests {
  @Test(arguments: [
    ("GET /\r\n\r\n", "400 Bad Request", "The request line is malformed."),
    ("GET / HTTP/1.10\r\n\r\n", "400 Bad Request", "The request line is malformed."),
    ("GET / HTTP/3.0\r\n\r\n", "505 HTTP Version Not Supported", "This version of HTTP is not supported."),
    ("CONNECT / HTTP/1.1\r\n\r\n", "501 Not Implemented", "CONNECT is not implemented."),
    ("GET /# HTTP/1.1\r\n\r\n", "400 Bad Request", "The request target is malformed."),
    ("GET a HTTP/1.1\r\n\r\n", "400 Bad Request", "The request target must be a path or an http URL."),
    ("GET / HTTP/1.1\nHost: HOST\r\n\r\n", "400 Bad Request", "A line does not end in CR and LF."),
    ("GET / HTTP/1.1\r\nA : b\r\n\r\n", "400 Bad Request", "A header field is malformed."),
    (
      "GET / HTTP/1.1\r\nA: \0\r\n\r\n", "400 Bad Request",
      "The value of a header field holds bytes that HTTP does not allow."
    ),
    ("GET / HTTP/1.1\r\n\r\n", "400 Bad Request", "A request has exactly one Host field."),
    (
      "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n", "421 Misdirected Request",
      "This server accepts requests for its own loopback address only."
    ),
    (
      "GET http://example.com/ HTTP/1.1\r\nHost: HOST\r\n\r\n", "421 Misdirected Request",
      "This server accepts requests for its own loopback address only."
    ),
    (
      "POST / HTTP/1.1\r\nHost: HOST\r\nExpect: a\r\n\r\n", "417 Expectation Failed",
      "100-continue is the only expectation that can be met."
    ),
    (
      "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "400 Bad Request",
      "Content-Length and Transfer-Encoding exclude each other."
    ),
    (
      "POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: gzip\r\n\r\n", "400 Bad Request",
      "The last transfer coding of a request must be chunked, once."
    ),
    (
      "POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "501 Not Implemented",
      "chunked is the only transfer coding implemented."
    ),
    (
      "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: a\r\n\r\n", "400 Bad Request",
      "Content-Length must be one decimal number."
    ),
    (
      "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1001\r\n\r\n", "413 Content Too Large",
      "The content is too large."
    ),
    (chunked + "3E9\r\n", "413 Content Too Large", "The content is too large."),
    (chunked + "FFFFFFFFFFFFFFFFFF\r\n", "413 Content Too Large", "The content is too large."),
    (chunked + "x\r\n", "400 Bad Request", "The size of a chunk is malformed."),
    (chunked + "1\r\nab\r\n", "400 Bad Request", "A chunk is longer than its size states."),
    (
      "GET /\(String(repeating: "a", count: 5000))", "414 URI Too Long",
      "The request line, the header fields or a chunk extension are too long."
    ),
    (
      "GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 5000))", "431 Request Header Fields Too Large",
      "The request line, the header fields or a chunk extension are too long."
    ),
  ])
  func refusalSaysWhatIsWrong(_ request: String, _ status: String, _ text: String) async throws {
    try await withServer(limits: .init(headerBytes: 4096, bodyBytes: 1000), unreachable) { server in
      let response = try await server.exchange(request)
      #expect(
        response == """
          HTTP/1.1 \(status)\r
          Content-Type: text/plain; charset=utf-8\r
          X-Content-Type-Options: nosniff\r
          Content-Length: \(text.utf8.count + 1)\r
          Connection: close\r
          \r
          \(text)\n
          """)
    }
  }

  private static let chunked = "POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n"

  @Test(arguments: [
    (200, "OK"), (201, "Created"), (204, "No Content"), (299, ""), (301, "Moved Permanently"), (302, "Found"),
    (303, "See Other"), (304, "Not Modified"), (307, "Temporary Redirect"), (308, "Permanent Redirect"),
    (400, "Bad Request"), (401, "Unauthorized"), (403, "Forbidden"), (404, "Not Found"),
    (405, "Method Not Allowed"), (408, "Request Timeout"), (409, "Conflict"), (410, "Gone"),
    (412, "Precondition Failed"), (413, "Content Too Large"), (414, "URI Too Long"), (417, "Expectation Failed"),
    (421, "Misdirected Request"), (429, "Too Many Requests"), (431, "Request Header Fields Too Large"),
    (500, "Internal Server Error"), (501, "Not Implemented"), (503, "Service Unavailable"),
    (505, "HTTP Version Not Supported"), (599, ""),
  ])
  func statusHasItsReasonPhrase(_ status: Int, _ phrase: String) async throws {
    try await withServer({ _ in HTTPResponse(status: status) }) { server in
      let response = try await server.exchange("GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
      #expect(response.hasPrefix("HTTP/1.1 \(status) \(phrase)\r\n"))
    }
  }

  @Test(arguments: [
    HTTPResponse(status: 199), HTTPResponse(status: 600), HTTPResponse(status: 200, fields: ["A": "b\r\nC: d"]),
  ])
  func responseThatIsNotHTTPIsNotSent(_ response: HTTPResponse) async throws {
    try await withServer({ _ in response }) { server in
      let text = try await server.exchange("GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
      #expect(text.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
      #expect(text.hasSuffix("\r\n\r\nThe handler's response is not valid HTTP.\n"))
    }
  }
}
