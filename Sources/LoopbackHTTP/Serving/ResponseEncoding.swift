// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

extension HTTPResponse {
  /// Returns the bytes of the response to a request (RFC 9112 § 4, § 6).
  ///
  /// - Parameters:
  ///   - method: The method of the request. The response to HEAD has the fields of the body, but no body.
  ///   - closes: Whether the connection closes after it.
  func encoded(for method: HTTPMethod?, closes: Bool) -> [UInt8] {
    guard (200...599).contains(status), fields.allSatisfy(\.isWellFormed) else {
      return HTTPResponse(status: 500, body: Array("The handler's response is not valid HTTP.\n".utf8))
        .message(for: method, closes: closes)
    }
    var response = self
    // The server sets these itself.
    for name in ["Content-Length", "Transfer-Encoding", "Connection"] { response.fields[name] = nil }
    return response.message(for: method, closes: closes)
  }

  /// Whether the handler requests the end of the connection.
  var asksToClose: Bool {
    fields.values(for: "Connection").contains { $0.equalsIgnoringCase("close") }
  }
}
