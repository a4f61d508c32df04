// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

extension HostileServer {
  /// A request as it arrived.
  public struct Request: Sendable, CustomStringConvertible {
    /// The method.
    public let method: String
    /// The request target: a path, with a query if there is one.
    public let target: String
    /// The header fields in their order.
    public let fields: HTTPFields
    /// The body; empty until ``isComplete``.
    public internal(set) var body: [UInt8] = []
    /// Whether the body has come to its end.
    public internal(set) var isComplete = false
    /// Which connection it came on, from 1.
    public let connection: Int
    /// Which request on its connection it is, from 1.
    public let number: Int

    /// The method and the target.
    public var description: String { "\(method) \(target)" }
  }
}

extension HostileServer.Request {
  /// Parses the lines of a head; malformed ones are left out.
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
  /// What a server does next on a connection.
  public enum Step: Sendable {
    /// Sends bytes.
    case send([UInt8])
    /// Sends bytes one at a time, each in a packet of its own.
    case dribble([UInt8])
    /// Sends the same bytes again and again until the client closes the connection, at most so many a second.
    case flood([UInt8], bytesPerSecond: Int? = nil)
    /// Waits until the gate is open.
    case wait(Gate)
    /// Waits until the client closes the connection.
    case waitForClient
    /// Closes the connection. What the client has sent is read before.
    case close
    /// Closes the connection with a reset.
    case reset
  }
}

extension HostileServer.Step {
  /// Sends the UTF-8 bytes of `text`.
  public static func send(_ text: String) -> Self { .send(Array(text.utf8)) }

  /// Sends the UTF-8 bytes of `text` one at a time.
  public static func dribble(_ text: String) -> Self { .dribble(Array(text.utf8)) }

  /// Sends the UTF-8 bytes of `text` again and again until the client closes the connection.
  public static func flood(_ text: String) -> Self { .flood(Array(text.utf8)) }

  /// Sends a valid response with `Content-Length`.
  public static func response(_ status: Int, _ fields: HTTPFields = [:], body: [UInt8] = []) -> Self {
    .send(HTTPResponse(status: status, fields: fields, body: body).message())
  }

  /// Sends a valid response with `Content-Length`.
  public static func response(_ status: Int, _ fields: HTTPFields = [:], body: String) -> Self {
    response(status, fields, body: Array(body.utf8))
  }
}
