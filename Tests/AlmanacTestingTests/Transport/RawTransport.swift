// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import TestSupport

/// A minimal client on one connection: it sends the given lines, and treats the next bytes as the response.
actor RawTransport {
  private var client: RawClient?
  private var unread = ""

  /// Sends a request with these lines in the place of its fields, and returns the next response with `Content-Length` that comes.
  ///
  /// - Parameter body: What follows the head; `nil` for the request's body.
  func send(_ request: HTTPRequest, lines: [String], body: String? = nil) async throws -> HTTPResponse {
    if client == nil { client = try await RawClient.connect(to: request.url.port ?? 80) }
    guard let client else { throw TransportError(.unreachable, "There is no connection.") }
    var head = "\(request.method) \(request.url.path(percentEncoded: true)) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    for line in lines { head += line + "\r\n" }
    await client.send(head + "\r\n" + (body ?? String(decoding: request.body ?? [], as: UTF8.self)))
    while true {
      if let response = takeResponse() { return response }
      let already = unread
      let more = try await client.read { Self.end(of: already + $0) != nil }
      unread += more
      if more.isEmpty { throw TransportError(.connectionLost, "The connection was closed.") }
    }
  }

  /// Sends a request with its own fields and the right length.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let fields = request.fields.map { "\($0.name): \($0.value)" }
    return try await send(request, lines: fields + ["Content-Length: \(request.body?.count ?? 0)"])
  }

  /// Returns the head and body of the first response in a text, or `nil` if it is not complete.
  private static func end(of text: String) -> (head: Substring.UTF8View, body: Substring.UTF8View)? {
    let bytes = text.utf8
    guard let blank = text.firstRange(of: "\r\n\r\n")?.upperBound else { return nil }
    let head = text[..<blank]
    let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }.flatMap {
      Int($0.dropFirst(16))
    }
    guard let end = bytes.index(blank, offsetBy: length ?? 0, limitedBy: bytes.endIndex) else { return nil }
    return (head.utf8, bytes[blank..<end])
  }

  private func takeResponse() -> HTTPResponse? {
    guard let (head, body) = Self.end(of: unread) else { return nil }
    unread = String(unread[body.endIndex...])
    let status = String(Substring(head)).split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return HTTPResponse(status: status, body: Array(body))
  }
}
