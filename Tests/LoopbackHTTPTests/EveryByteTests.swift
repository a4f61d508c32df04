// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

/// A part of a request: what comes before the byte and after it, and which bytes may stand there.
struct RequestPart: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let before: String
  let after: String
  let allowed: Set<UInt8>
}

/// Each byte in each part of a request, which is either what the specification allows there or refused.
@Suite(.takesTurns) struct EveryByteTests {
  private static let visible = Set<UInt8>(0x21...0x7E)
  /// RFC 9110 § 5.6.2.
  private static let token = visible.subtracting("(),/:;<=>?@[\\]{}\"".utf8)
  private static let digits = Set("0123456789".utf8)
  private static let post: String = "POST / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n"

  static let parts: [RequestPart] = [
    RequestPart(
      testDescription: "method", before: "X", after: "X / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",
      allowed: token),
    RequestPart(
      testDescription: "target", before: "GET /a", after: "b HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",
      allowed: visible.subtracting("#".utf8).union(0x80...0xFF)),
    RequestPart(
      testDescription: "name of a field", before: post + "X", after: "X: a\r\n\r\n", allowed: token.union(":".utf8)),
    RequestPart(
      testDescription: "value of a field", before: post + "X: a", after: "a\r\n\r\n",
      allowed: visible.union([0x09, 0x20])),
    RequestPart(
      testDescription: "length", before: post + "Content-Length: 0", after: "\r\n\r\n", allowed: [0x30, 0x20, 0x09]),
    RequestPart(
      testDescription: "size of a chunk", before: post + "Transfer-Encoding: chunked\r\n\r\n0",
      after: "\r\n\r\n", allowed: [0x30, UInt8(ascii: ";")]),
    RequestPart(
      testDescription: "extension of a chunk", before: post + "Transfer-Encoding: chunked\r\n\r\n0;a",
      after: "a\r\n\r\n", allowed: visible.union([0x09, 0x20]).union(0x80...0xFF)),
    RequestPart(
      testDescription: "name of a trailer field", before: post + "Transfer-Encoding: chunked\r\n\r\n0\r\nX",
      after: "X: a\r\n\r\n", allowed: token.union(":".utf8)),
  ]

  @Test(arguments: parts) func byteIsReadWhereItMayStand(_ part: RequestPart) async throws {
    try await withServer(echo) { server in
      var accepted = Set<UInt8>()
      for byte in UInt8.min...UInt8.max {
        let client = try await RawClient.connect(to: server.port)
        let (before, after) = (part.before.replacing("HOST", with: server.authority), part.after)
        await client.send(
          Array(before.utf8) + [byte] + Array(after.replacing("HOST", with: server.authority).utf8))
        await client.finish()
        let response = try await client.readToEnd()
        if response.hasPrefix("HTTP/1.1 200 ") { accepted.insert(byte) }
      }
      #expect(accepted.sorted() == part.allowed.sorted())
    }
  }

  @Test(arguments: [
    ("HTTP/1.0", 200), ("HTTP/1.1", 200), ("HTTP/1.2", 505), ("HTTP/0.9", 505), ("HTTP/9.0", 505), ("HTTP/2.0", 505),
    ("HTTP/1.", 400), ("HTTP/1.11", 400), ("HTTP/11", 400), ("HTTP/1:1", 400), ("HTTP/a.1", 400), ("HTTP/1.a", 400),
    ("HTTP/:.1", 400), ("HTTP//.1", 400), ("HTTP/1.:", 400), ("HTTPS1.1", 400), ("XTTP/1.1", 400), ("", 400),
  ])
  func versionIsReadOrRefused(_ version: String, _ status: Int) async throws {
    try await withServer(echo) { server in
      let response = try await server.exchange("GET / \(version)\r\nHost: HOST\r\nConnection: close\r\n\r\n")
      #expect(response.hasPrefix("HTTP/1.1 \(status) "))
    }
  }

  /// White space around values and the members of lists is none of them.
  @Test func whiteSpaceAroundValuesIsLeftOut() async throws {
    try await withServer { request in
      HTTPResponse(status: 200, body: Array("[\(request.fields["A"] ?? "missing")]".utf8))
    } _: { server in
      let response = try await server.exchange(
        "GET / HTTP/1.1\r\nHost:\t HOST \t\r\nA: \t b\t c \t \r\nConnection: TE\t, \tclose \t\r\n\r\n")
      #expect(response.hasSuffix("\r\n\r\n[b\t c]"))
    }
  }

  /// One empty line before each request is ignored.
  @Test func emptyLineMayComeBeforeEachRequest() async throws {
    try await withServer(echo) { server in
      let request = "\r\nGET / HTTP/1.1\r\nHost: HOST\r\n"
      let response = try await server.exchange(
        "\(request)\r\n\(request)\r\n\(request)Connection: close\r\n\r\n")
      #expect(response.ranges(of: "HTTP/1.1 200 OK").count == 3)
    }
  }
}
