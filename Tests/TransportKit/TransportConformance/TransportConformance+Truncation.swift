// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

extension TransportConformance {
  static let truncationChecks = Group.faults.checks([
    Check("truncated-head", "A response that ends within its head is an error, wherever it ends.") { subject in
      try await cut(
        subject, withLength, in: 1..<withLengthHead, then: .close,
        is: [.connectionLost, .truncated, .protocolViolation])
      try await cut(subject, withLength, in: 0..<1, then: .close, is: [.connectionLost])
    },

    truncated("length", "before its Content-Length", withLength, withLengthHead..<withLength.count),
    truncated("chunks", "before its last chunk", withTrailer, withTrailerHead..<withTrailerChunks),
    // Without the last byte, the LF of the empty line, the response is still complete.
    truncated(
      "trailer", "within its trailer", withTrailer, withTrailerChunks..<(withTrailer.count - 1),
      is: [.truncated, .protocolViolation]),
    stalled("head", "within its head", withLength, 0..<withLengthHead, .waiting),
    stalled("length", "before its Content-Length", withLength, withLengthHead..<withLength.count),
    stalled("chunks", "before its last chunk", withTrailer, withTrailerHead..<withTrailerChunks),
    stalled("trailer", "within its trailer", withTrailer, withTrailerChunks..<withTrailer.count),

    Check("truncated-gzip", "A gzip response that ends before its announced end is truncated.") { subject in
      let encoded = Gzip.stored("hello hello hello".bytes)
      for count in [0, 1, 5, 10, 15, encoded.count - 1] {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(encoded.count)\r\n\r\n"
        try await subject.expect(.truncated, nil, "\(count) bytes") {
          try await subject.get(.send(head.bytes + encoded.prefix(count)), .close)
        }
      }
    },
  ])

  private static let withLength =
    "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n0123456789".bytes
  private static let withLengthHead = withLength.count - 10
  private static let withTrailerHead = chunkedHead.utf8.count
  /// The size without the trailer.
  private static let withTrailerChunks = (chunkedHead + "5\r\nhello\r\n10;a=b\r\n0123456789abcdef\r\n0\r\n").utf8.count
  private static let withTrailer = (chunkedHead + "5\r\nhello\r\n10;a=b\r\n0123456789abcdef\r\n0\r\nX-B: c\r\n\r\n")
    .bytes

  private static func truncated(
    _ name: String, _ place: String, _ message: [UInt8], _ lengths: Range<Int>,
    is codes: [TransportError.Code] = [.truncated]
  ) -> Check {
    Check("truncated-\(name)", "A response that ends \(place) is truncated, wherever it ends.") { subject in
      try await cut(subject, message, in: lengths, then: .close, is: codes)
    }
  }

  private static func stalled(
    _ name: String, _ place: String, _ message: [UInt8], _ lengths: Range<Int>,
    _ reason: TransportError.Reason = .receiving
  ) -> Check {
    Check("stalled-\(name)", "A response that stops \(place) times out, wherever it stops.") { subject in
      try await cut(subject, message, in: lengths, then: .waitForClient, is: [.timedOut], reason)
    }
  }

  /// Sends a prefix of `message` for each length in `lengths`, and expects an error each time.
  private static func cut(
    _ subject: Subject, _ message: [UInt8], in lengths: Range<Int>, then step: HostileServer.Step,
    is codes: [TransportError.Code], _ reason: TransportError.Reason? = nil
  ) async throws {
    let server = try subject.server { request in
      [.send(Array(message.prefix(Int(request.target.dropFirst()) ?? 0))), step]
    }
    let transport = try subject.transport { $0.connectionsPerHost = 256 }
    func fail(_ length: Int, _ limit: Duration?) async throws {
      try await subject.expect(codes, reason, "\(length) of \(message.count) bytes") {
        try await transport.send(HTTPRequest(.get, server.url("/\(length)"), timeout: limit))
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, length) in lengths.enumerated() {
        if index >= 32 { try await group.next() }
        group.addTask {
          guard codes == [.timedOut] else { return try await fail(length, nil) }
          try await subject.patiently(.milliseconds(200)) { try await fail(length, $0) }
        }
      }
      try await group.waitForAll()
    }
    if case .waitForClient = step { await server.wait { $0.open == 0 } }
  }
}
