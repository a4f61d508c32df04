// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

/// The limits of a request, which is read at each of them and refused beyond it.
@Suite(.takesTurns) struct RequestLimitTests {
  private static let limits = LoopbackServer.Limits(headerBytes: 4096, bodyBytes: 1000)
  private static let chunked =
    "POST / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// The status of the response to a request whose bytes come in pieces of a size.
  private static func status(of request: String, piece: Int = .max) async throws -> Int? {
    var status: Int?
    try await withServer(limits: limits, echo) { server in
      let client = try await RawClient.connect(to: server.port)
      var rest = Array(request.replacing("HOST", with: server.authority).utf8)[...]
      while !rest.isEmpty {
        await client.send(Array(rest.prefix(piece)))
        rest = rest.dropFirst(piece)
      }
      status = Int(try await client.readToEnd().dropFirst("HTTP/1.1 ".count).prefix(3))
    }
    return status
  }

  /// A line counts with its CR, and with its LF in the lines after it.
  @Test(arguments: [(4096, 431), (4097, 414)], [Int.max, 1000])
  func requestLine(_ line: (size: Int, status: Int), _ piece: Int) async throws {
    let start = "GET /", end = " HTTP/1.1\r"
    let path = String(repeating: "a", count: line.size - start.utf8.count - end.utf8.count)
    // The line after it is too long, or there is none.
    let status = try await Self.status(of: start + path + end + "\nX", piece: piece)
    #expect(status == line.status)
  }

  @Test(arguments: [(1000, 200), (1001, 413)]) func length(_ size: Int, _ status: Int) async throws {
    let head = "POST / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nContent-Length: \(size)\r\n\r\n"
    #expect(try await Self.status(of: head + String(repeating: "a", count: size)) == status)
  }

  @Test(arguments: [
    ([1000], 200), ([1001], 413), ([999, 1], 200), ([999, 2], 413), ([1, 999], 200), ([1, 1000], 413),
  ])
  func chunks(_ sizes: [Int], _ status: Int) async throws {
    var request = Self.chunked
    for size in sizes { request += "\(String(size, radix: 16))\r\n\(String(repeating: "a", count: size))\r\n" }
    #expect(try await Self.status(of: request + "0\r\n\r\n") == status)
  }

  /// The digits, the extension and the CR are bounded together, and each size begins anew.
  @Test(arguments: [(253, 200), (254, 200), (255, 400)]) func chunkExtension(_ length: Int, _ status: Int) async throws
  {
    let size = "1;" + String(repeating: "a", count: length - 1) + "\r\nx\r\n"
    #expect(try await Self.status(of: Self.chunked + size + size + "0\r\n\r\n") == status)
  }

  @Test func leadingZerosOfASizeAreRead() async throws {
    #expect(try await Self.status(of: Self.chunked + "000000000000001\r\nx\r\n0\r\n\r\n") == 200)
    #expect(try await Self.status(of: Self.chunked + "0000000000000001\r\nx\r\n0\r\n\r\n") == 413)
  }

  /// Each request on a connection has the whole limit.
  @Test func limitsBeginAnewWithEveryRequest() async throws {
    let field = "X: \(String(repeating: "a", count: 3000))\r\n"
    let request = "GET / HTTP/1.1\r\nHost: HOST\r\n\(field)"
    try await withServer(limits: Self.limits, echo) { server in
      let response = try await server.exchange("\(request)\r\n\(request)\r\n\(request)Connection: close\r\n\r\n")
      #expect(response.ranges(of: "HTTP/1.1 200 OK").count == 3)
    }
  }

  /// The trailer has the whole limit, regardless of the fields before the content.
  @Test(arguments: [(3000, 200), (4200, 431)]) func trailer(_ size: Int, _ status: Int) async throws {
    let field = "X: \(String(repeating: "a", count: 3000))\r\n"
    let trailer = "Y: \(String(repeating: "a", count: size))\r\n"
    let head = "POST / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\(field)\r\n"
    #expect(try await Self.status(of: head + "1\r\nx\r\n0\r\n\(trailer)\r\n") == status)
  }
}
