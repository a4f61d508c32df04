// SPDX-License-Identifier: Apache-2.0

/// The fault of a malformed field line.
package enum FieldLineFault: Error {
  /// The line has no colon, or its name is not a token.
  case name
  /// The value contains bytes not allowed in HTTP.
  case value
}

extension HTTPFields.Field {
  /// Parses a field line without its line end ([RFC 9112 § 5](https://www.rfc-editor.org/rfc/rfc9112.html#section-5)).
  ///
  /// Folded lines and whitespace before the colon are rejected (§ 5.1, § 5.2).
  package init(line: ArraySlice<UInt8>) throws(FieldLineFault) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(\.isTokenCharacter)
    else { throw .name }
    var bytes = line[(colon + 1)...]
    while let byte = bytes.first, byte == 0x20 || byte == 0x09 { bytes.removeFirst() }
    while let byte = bytes.last, byte == 0x20 || byte == 0x09 { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .value }
    self.init(name: String(decoding: line[..<colon], as: UTF8.self), value: text)
    guard isWellFormed else { throw .value }
  }
}

extension [UInt8] {
  /// Appends a line for each field.
  package mutating func append(linesOf fields: HTTPFields) {
    // Piece by piece: a string of the whole line would take several allocations.
    for field in fields {
      append(contentsOf: field.name.utf8)
      append(contentsOf: ": ".utf8)
      append(contentsOf: field.value.utf8)
      append(contentsOf: "\r\n".utf8)
    }
  }
}

extension HTTPResponse {
  /// Returns the bytes of an HTTP/1.1 response whose body is delimited by its length
  /// ([RFC 9112 § 2.1](https://www.rfc-editor.org/rfc/rfc9112.html#section-2.1)).
  ///
  /// - Parameters:
  ///   - method: The method of the request. The response to HEAD has the fields of the body, but no body.
  ///   - closes: Whether the response announces the end of the connection.
  package func message(for method: HTTPMethod? = nil, closes: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256 + body.count)
    bytes += "HTTP/1.1 \(status) \(Self.reasonPhrase(status))\r\n".utf8
    bytes.append(linesOf: fields)
    let hasContent = status != 204 && status != 304
    if hasContent { bytes += "Content-Length: \(body.count)\r\n".utf8 }
    if closes { bytes += "Connection: close\r\n".utf8 }
    bytes += "\r\n".utf8
    if hasContent, method != .head { bytes += body }
    return bytes
  }

  private static func reasonPhrase(_ status: Int) -> String {
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
