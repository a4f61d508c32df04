// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport

/// The requests in a batch, read without the code under test.
struct BatchParts {
  struct Part {
    let fields: HTTPFields
    let request: HTTPRequest
    /// The `Content-ID`, without angle brackets.
    var id: String { (fields["Content-ID"] ?? "").trimmingCharacters(in: ["<", ">"]) }
  }

  let parts: [Part]

  /// Reads a request; `nil` if it is no batch.
  init?(_ request: HTTPRequest) {
    guard request.url.path().hasSuffix("/batch/calendar/v3"), request.method == .post,
      let boundary = request.fields["Content-Type"]?.components(separatedBy: "; boundary=").last
    else { return nil }
    let body = String(decoding: request.body ?? [], as: UTF8.self)
    parts = body.components(separatedBy: "--\(boundary)").dropFirst().dropLast().compactMap(Part.init)
  }

  /// The response with the same parts, in their order.
  static func response(_ responses: [(id: String, HTTPResponse)]) -> HTTPResponse {
    var body = ""
    for (id, response) in responses {
      body += "--b\r\nContent-Type: application/http\r\nContent-ID: <response-\(id)>\r\n\r\n"
      body += "HTTP/1.1 \(response.status) Reason\r\n"
      for field in response.fields { body += "\(field.name): \(field.value)\r\n" }
      body += "Content-Length: \(response.body.count)\r\n\r\n\(String(decoding: response.body, as: UTF8.self))\r\n"
    }
    return multipart(body + "--b--")
  }

  static func multipart(_ body: String, type: String = "multipart/mixed; boundary=b") -> HTTPResponse {
    HTTPResponse(status: 200, fields: ["Content-Type": type], body: Array(body.utf8))
  }
}

extension BatchParts.Part {
  fileprivate init?(_ text: String) {
    let sections = text.trimmingPrefix("\r\n").components(separatedBy: "\r\n\r\n")
    guard sections.count >= 3 else { return nil }
    fields = Self.fields(sections[0].components(separatedBy: "\r\n"))
    let lines = sections[1].components(separatedBy: "\r\n")
    let words = lines[0].components(separatedBy: " ")
    guard words.count == 3, words[2] == "HTTP/1.1", words[1].hasPrefix("/"),
      let url = URL(string: "https://www.googleapis.com\(words[1])")
    else { return nil }
    let head = Self.fields(Array(lines.dropFirst()))
    let body = Array(sections[2...].joined(separator: "\r\n\r\n").utf8)
    let length = head["Content-Length"].flatMap(Int.init)
    request = HTTPRequest(
      HTTPMethod(rawValue: words[0]), url, fields: head, body: length.map { Array(body.prefix($0)) })
  }

  private static func fields(_ lines: [String]) -> HTTPFields {
    HTTPFields(
      lines.map { line in
        let parts = line.components(separatedBy: ": ")
        return (parts[0], parts.dropFirst().joined(separator: ": "))
      })
  }
}

extension StubTransport {
  /// A server that responds to single requests and to those in a batch alike.
  static func batching(_ handler: @concurrent @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse)
    -> StubTransport
  {
    StubTransport { request in
      guard let batch = BatchParts(request) else { return try await handler(request) }
      var responses: [(String, HTTPResponse)] = []
      for part in batch.parts { responses.append((part.id, try await handler(part.request))) }
      return BatchParts.response(responses)
    }
  }

  /// The number of requests in each HTTP request; 0 for one that is no batch.
  var batchSizes: [Int] { requests.map { BatchParts($0)?.parts.count ?? 0 } }
}
