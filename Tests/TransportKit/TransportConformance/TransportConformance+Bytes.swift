// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport

extension TransportConformance {
  /// One check per byte and part of the message, because each can crash a transport that does not expect it.
  static let byteChecks = Group.hostility.checks(
    [("nul", 0), ("cr", 13), ("lf", 10), ("8-bit", 0xFF), ("escape", 0x1B)].flatMap {
      (name: String, byte: UInt8) -> [Check] in
      [
        ("status-line", statusLine, 0..<statusLine.count),
        ("header-lines", headerLines, "HTTP/1.1 200 OK\r\n".utf8.count..<headerLines.count),
        ("chunk-lines", chunkLines, chunkedHead.utf8.count..<chunkLines.count),
        ("trailer-lines", trailerLines, (chunkedHead + "0\r\n").utf8.count..<trailerLines.count),
      ].map { (part: String, message: [UInt8], positions: Range<Int>) -> Check in
        let place = part.replacing("-", with: " ")
        return Check(
          "\(name)-in-\(part)",
          "A response with a \(name.uppercased()) byte anywhere in its \(place) is harmless or refused."
        ) { subject in
          try await hold(subject, byte, message, positions)
        }
      }
    })

  private static let end = "\r\nContent-Length: 5\r\n\r\nhello"
  private static let statusLine = "HTTP/1.1 200 OK".bytes
  private static let headerLines = "HTTP/1.1 200 OK\r\nX-A: b c\r\nSet-Cookie: d".bytes
  private static let chunkLines = (chunkedHead + "5;a=b\r\nhello\r\n0;c\r\n").bytes
  private static let trailerLines = (chunkedHead + "0\r\nX-A: b\r\nX-B: c\r\n\r\n").bytes

  /// Inserts the byte at every position, and replaces every byte with it.
  private static func hold(
    _ subject: Subject, _ byte: UInt8, _ message: [UInt8], _ positions: Range<Int>
  ) async throws {
    let rest = message == chunkLines ? "\r\n".bytes : message == trailerLines ? [] : end.bytes
    let server = try subject.server { request in
      let number = Int(request.target.dropFirst()) ?? 0
      let position = positions.lowerBound + number / 2
      var message = message
      message.replaceSubrange(position..<(position + number % 2), with: CollectionOfOne(byte))
      return [.send(message + rest), .close]
    }
    let transport = try subject.transport()
    for number in 0..<(positions.count * 2) {
      let what = "Position \(positions.lowerBound + number / 2), \(number % 2 == 0 ? "inserted" : "replaced")"
      let response = try await subject.value(or: .protocolViolation, .truncated, .connectionLost, what: what) {
        try await transport.send(HTTPRequest(.get, server.url("/\(number)")))
      }
      for field in response?.fields ?? [:] {
        let bytes = Array((field.name + field.value).utf8)
        try require(!bytes.contains { $0 == 0 || $0 == 10 || $0 == 13 }, "\(what): A field holds CR, LF or NUL.")
      }
    }
  }
}
