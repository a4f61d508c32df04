// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Support

/// A writer of the response to a batch, with one part per request, in order.
struct BatchWriter {
  private let boundary = "batch_\(randomToken())"
  private var body: [UInt8] = []

  mutating func append(_ response: HTTPResponse, to contentID: String?) {
    write("--\(boundary)\r\nContent-Type: application/http\r\n")
    if let contentID {
      let id = contentID.hasPrefix("<") ? "<response-\(contentID.dropFirst())" : "response-\(contentID)"
      write("Content-ID: \(id)\r\n")
    }
    write("\r\n")
    body += response.message()
    write("\r\n")
  }

  consuming func response() -> HTTPResponse {
    write("--\(boundary)--\r\n")
    return HTTPResponse(
      status: 200,
      fields: HTTPFields(SecurityHeaders.common + [("Content-Type", "multipart/mixed; boundary=\(boundary)")]),
      body: body)
  }

  private mutating func write(_ text: String) { body.append(contentsOf: text.utf8) }
}
