// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Testing

@Suite struct MessageHeadTests {
  /// The reasons of RFC 9110 § 15 and RFC 6585; other statuses have none.
  private static let reasons = """
    200 OK
    201 Created
    204 No Content
    301 Moved Permanently
    302 Found
    303 See Other
    304 Not Modified
    307 Temporary Redirect
    308 Permanent Redirect
    400 Bad Request
    401 Unauthorized
    403 Forbidden
    404 Not Found
    405 Method Not Allowed
    408 Request Timeout
    409 Conflict
    410 Gone
    412 Precondition Failed
    413 Content Too Large
    414 URI Too Long
    417 Expectation Failed
    421 Misdirected Request
    429 Too Many Requests
    431 Request Header Fields Too Large
    500 Internal Server Error
    501 Not Implemented
    503 Service Unavailable
    505 HTTP Version Not Supported
    """

  @Test func statusLineHasTheReasonOfTheStandard() {
    let lines = Self.reasons.split(separator: "\n")
    for status in 100...599 {
      let expected = lines.first { $0.hasPrefix("\(status) ") } ?? "\(status) "
      let message = String(decoding: HTTPResponse(status: status).message(), as: UTF8.self)
      #expect(message.hasPrefix("HTTP/1.1 \(expected)\r\n"))
    }
  }
}
