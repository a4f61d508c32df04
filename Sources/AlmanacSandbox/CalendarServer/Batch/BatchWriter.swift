// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Support

/// Writes the response to a batch, with one part for each request, in their order.
struct BatchWriter {
  private let boundary = "batch_\(randomToken())"
  private var body: [UInt8] = []

  mutating func append(_ response: HTTPResponse, to contentID: String?) {
    write("--\(boundary)\r\nContent-Type: application/http\r\n")
    if let contentID {
      let id = contentID.hasPrefix("<") ? "<response-\(contentID.dropFirst())" : "response-\(contentID)"
      write("Content-ID: \(id)\r\n")
    }
    write("\r\nHTTP/1.1 \(response.status) \(Self.reason(response.status))\r\n")
    for field in response.fields { write("\(field.name): \(field.value)\r\n") }
    if response.status != 204, response.status != 304 { write("Content-Length: \(response.body.count)\r\n") }
    write("\r\n")
    body.append(contentsOf: response.body)
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

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Status \(status)"
    }
  }
}
