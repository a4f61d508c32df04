// SPDX-License-Identifier: Apache-2.0

package import HTTPTransport

extension HostileServer {
  /// A received request.
  package struct Request: Sendable, CustomStringConvertible {
    /// The method.
    package let method: String
    /// The request target: a path with an optional query.
    package let target: String
    /// The header fields, in order.
    package let fields: HTTPFields
    /// The body; empty until ``isComplete``.
    package internal(set) var body: [UInt8] = []
    /// Whether the body has been received completely.
    package internal(set) var isComplete = false
    /// The number of the connection, starting at 1.
    package let connection: Int
    /// The number of the request on its connection, starting at 1.
    package let number: Int

    /// The method and the target.
    package var description: String { "\(method) \(target)" }
  }
}

extension HostileServer.Request {
  /// Parses the lines of a head.
  ///
  /// Malformed lines are ignored.
  init(head: String, connection: Int, number: Int) {
    let lines = head.split(separator: "\r\n")
    let parts = (lines.first ?? "").split(separator: " ", maxSplits: 2)
    var fields = HTTPFields()
    for line in lines.dropFirst() {
      if let field = try? HTTPFields.Field(line: Array(line.utf8)[...]) { fields.append(field.name, field.value) }
    }
    method = parts.first.map(String.init) ?? ""
    target = parts.count > 1 ? String(parts[1]) : ""
    self.fields = fields
    self.connection = connection
    self.number = number
  }
}

extension HostileServer {
  /// A step of a server on a connection.
  package enum Step: Sendable {
    /// Sends bytes.
    case send([UInt8])
    /// Sends bytes one at a time, each in its own packet.
    case dribble([UInt8])
    /// Sends the same bytes repeatedly until the client closes the connection, with an optional maximum rate.
    case flood([UInt8], bytesPerSecond: Int? = nil)
    /// Waits until the gate opens.
    case wait(Gate)
    /// Waits until the client closes the connection.
    case waitForClient
    /// Closes the connection, after reading the client's data.
    case close
    /// Closes the connection with a reset.
    case reset
  }
}

extension HostileServer.Step {
  /// Sends the UTF-8 bytes of `text`.
  package static func send(_ text: String) -> Self { .send(Array(text.utf8)) }

  /// Sends the UTF-8 bytes of `text` one at a time.
  package static func dribble(_ text: String) -> Self { .dribble(Array(text.utf8)) }

  /// Sends the UTF-8 bytes of `text` repeatedly until the client closes the connection.
  package static func flood(_ text: String) -> Self { .flood(Array(text.utf8)) }

  /// Sends a valid response with `Content-Length`.
  package static func response(_ status: Int, _ fields: HTTPFields = [:], body: [UInt8] = []) -> Self {
    .send(HTTPResponse(status: status, fields: fields, body: body).message())
  }

  /// Sends a valid response with `Content-Length`.
  package static func response(_ status: Int, _ fields: HTTPFields = [:], body: String) -> Self {
    response(status, fields, body: Array(body.utf8))
  }
}
