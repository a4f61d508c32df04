// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

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
    var head = "HTTP/1.1 \(status) Status\r\n"
    for field in fields { head += "\(field.name): \(field.value)\r\n" }
    if status != 204 && status != 304 { head += "Content-Length: \(body.count)\r\n" }
    return .send(Array((head + "\r\n").utf8) + body)
  }

  /// Sends a valid response with `Content-Length`.
  public static func response(_ status: Int, _ fields: HTTPFields = [:], body: String) -> Self {
    response(status, fields, body: Array(body.utf8))
  }
}
