// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

extension TransportConformance {
  static let truncationChecks: [Check] = [
    Check(.faults, "truncated-head", "A response that ends within its head is an error, wherever it ends.") { subject in
      try await cut(
        subject, withLength, in: 1..<withLengthHead, then: .close,
        is: [.connectionLost, .truncated, .protocolViolation])
      try await cut(subject, withLength, in: 0..<1, then: .close, is: [.connectionLost])
    },

    Check(.faults, "truncated-length", "A response that ends before its Content-Length is truncated, wherever it ends.")
    { subject in
      try await cut(subject, withLength, in: withLengthHead..<withLength.count, then: .close, is: [.truncated])
    },

    Check(
      .faults, "truncated-chunks", "A chunked response that ends before its last chunk is truncated, wherever it ends."
    ) { subject in
      try await cut(subject, withTrailer, in: withTrailerHead..<withTrailerChunks, then: .close, is: [.truncated])
    },

    Check(
      .faults, "truncated-trailer", "A chunked response that ends within its trailer is truncated, wherever it ends."
    ) { subject in
      // Without the last byte, the LF of the empty line, the response is still complete.
      try await cut(
        subject, withTrailer, in: withTrailerChunks..<(withTrailer.count - 1), then: .close,
        is: [.truncated, .protocolViolation])
    },

    Check(.faults, "stalled-head", "A response that stops within its head times out, wherever it stops.") { subject in
      try await cut(subject, withLength, in: 0..<withLengthHead, then: .waitForClient, is: [.timedOut], .waiting)
    },

    Check(.faults, "stalled-length", "A response that stops before its Content-Length times out, wherever it stops.") {
      subject in
      try await cut(
        subject, withLength, in: withLengthHead..<withLength.count, then: .waitForClient, is: [.timedOut], .receiving)
    },

    Check(
      .faults, "stalled-chunks", "A chunked response that stops before its last chunk times out, wherever it stops."
    ) { subject in
      try await cut(
        subject, withTrailer, in: withTrailerHead..<withTrailerChunks, then: .waitForClient, is: [.timedOut], .receiving
      )
    },

    Check(.faults, "stalled-trailer", "A chunked response that stops within its trailer times out, wherever it stops.")
    { subject in
      try await cut(
        subject, withTrailer, in: withTrailerChunks..<withTrailer.count, then: .waitForClient, is: [.timedOut],
        .receiving)
    },

    Check(.faults, "truncated-gzip", "A gzip response that ends before its announced end is truncated.") { subject in
      let encoded = Gzip.stored("hello hello hello".bytes)
      for count in [0, 1, 5, 10, 15, encoded.count - 1] {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(encoded.count)\r\n\r\n"
        try await subject.expect(.truncated, nil, "\(count) bytes") {
          try await subject.get(.send(head.bytes + encoded.prefix(count)), .close)
        }
      }
    },
  ]

  private static let withLength =
    "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n0123456789".bytes
  private static let withLengthHead = withLength.count - 10
  private static let withTrailerHead = chunkedHead.utf8.count
  /// The size without the trailer.
  private static let withTrailerChunks = (chunkedHead + "5\r\nhello\r\n10;a=b\r\n0123456789abcdef\r\n0\r\n").utf8.count
  private static let withTrailer = (chunkedHead + "5\r\nhello\r\n10;a=b\r\n0123456789abcdef\r\n0\r\nX-B: c\r\n\r\n")
    .bytes

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
