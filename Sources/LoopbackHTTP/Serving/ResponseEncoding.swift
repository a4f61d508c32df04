// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

extension HTTPResponse {
  /// The bytes of the response to a request (RFC 9112 § 4, § 6).
  ///
  /// - Parameters:
  ///   - method: The method of the request: the response to HEAD has the fields of the content, and no content.
  ///   - closes: Whether the connection ends after it.
  func encoded(for method: HTTPMethod?, closes: Bool) -> [UInt8] {
    guard (200...599).contains(status), fields.allSatisfy(\.isWellFormed) else {
      return HTTPResponse(status: 500, body: Array("The handler's response is not valid HTTP.\n".utf8))
        .encoded(for: method, closes: closes)
    }
    var head = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
    for field in fields where !field.isFraming {
      head += "\(field.name): \(field.value)\r\n"
    }
    let hasContent = status != 204 && status != 304
    if hasContent { head += "Content-Length: \(body.count)\r\n" }
    if closes { head += "Connection: close\r\n" }
    head += "\r\n"

    var bytes: [UInt8] = []
    bytes.reserveCapacity(head.utf8.count + body.count)
    bytes += head.utf8
    if hasContent, method != .head { bytes += body }
    return bytes
  }

  /// Whether the handler wants the connection to end.
  var asksToClose: Bool {
    fields.values(for: "Connection").contains { $0.equalsIgnoringCase("close") }
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: ""  // RFC 9112 § 4: the reason may be empty, and no client needs it
    }
  }
}

extension HTTPFields.Field {
  /// Whether the server writes this field itself.
  fileprivate var isFraming: Bool {
    ["Content-Length", "Transfer-Encoding", "Connection"].contains { name.equalsIgnoringCase($0) }
  }
}
