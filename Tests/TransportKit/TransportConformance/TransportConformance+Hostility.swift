// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport

extension TransportConformance {
  static let hostilityChecks = Group.hostility.checks([
    refused("http-0.9", "A response without a status line, as in HTTP/0.9", "<html>hello</html>"),
    refused("ssh", "The banner of another protocol", "SSH-2.0-OpenSSH_9.2\r\n"),
    refused("smtp", "The greeting of another protocol", "220 mail.example ESMTP\r\n"),
    refused("http-2", "The preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0"),
    refused("tls-alert", "A TLS alert", "\u{15}\u{3}\u{1}\0\u{2}\u{2}\u{50}"),
    refused("status-word", "A status that is a word", "HTTP/1.1 abc OK\r\n\r\n"),
    refused("status-missing", "A status line without a status", "HTTP/1.1\r\n\r\n"),
    refused("status-negative", "A negative status", "HTTP/1.1 -200 OK\r\n\r\n"),
    refused("status-small", "A status below 100", "HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n"),
    refused("status-two-digits", "A status of two digits", "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n"),
    refused("status-four-digits", "A status of four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n"),
    refused("version", "An unknown version", "HTTP/7.3 200 OK\r\nContent-Length: 0\r\n\r\n"),
    refused(
      "field-without-colon", "A header line without a colon", "HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 0\r\n\r\n"
    ),
    refused(
      "random-bytes", "A meaningless sequence of bytes",
      String((0..<2_000).map { Character(Unicode.Scalar(UInt8($0 * 7919 % 127))) })),

    Check("blank-lines", "Blank lines before the status line are skipped or refused.") { subject in
      let response = try await subject.value(or: .protocolViolation) {
        try await subject.get(.send("\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .close)
      }
      if let response { try require(String(response.body) == "ok", "The body is wrong.") }
    },

    Check("switching-protocols", "An unrequested 101 response does not block the transport.") { subject in
      _ = try await subject.value(or: .protocolViolation, .truncated, .connectionLost) {
        try await subject.get(
          .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nnonsense"), .close)
      }
    },

    Check("unknown-encoding", "An unknown content encoding is refused.") { subject in
      try await subject.expect(.protocolViolation, .malformedEncoding) {
        try await subject.get(.response(200, ["Content-Encoding": "unknown"], body: "abc"))
      }
    },

    Check("broken-gzip", "A broken gzip response is refused.") { subject in
      let good = Gzip.stored("hello hello hello".bytes)
      var wrongBytes = good
      wrongBytes[12] ^= 0xFF
      var wrongSum = good
      wrongSum[wrongSum.count - 8] ^= 0xFF
      for (name, body) in [
        ("no gzip at all", "0123456789".bytes), ("a wrong length", wrongBytes), ("a wrong checksum", wrongSum),
      ] {
        try await subject.expect(.protocolViolation, .malformedEncoding, name) {
          try await subject.get(.response(200, ["Content-Encoding": "gzip"], body: body))
        }
      }
    },

    Check("gzip-without-end", "A gzip stream that ends early is refused although the framing is complete.") { subject in
      let good = Gzip.stored("hello hello hello".bytes)
      for count in [5, 12, 20, good.count - 8, good.count - 1] {
        try await subject.expect([.protocolViolation, .truncated], nil, "\(count) bytes") {
          try await subject.get(.response(200, ["Content-Encoding": "gzip"], body: Array(good.prefix(count))))
        }
      }
    },

    Check("many-encodings", "A list of many content encodings is refused.") { subject in
      for count in [6, 1_000] {
        let list = Array(repeating: "gzip", count: count).joined(separator: ", ")
        try await subject.expect([.protocolViolation, .tooLarge], nil, "\(count)") {
          try await subject.get(.response(200, ["Content-Encoding": list], body: Gzip.stored("abc".bytes)))
        }
      }
    },

    flooded("status-line", "A status line", "HTTP/1.1 200 ", "a"),
    flooded("field", "A header field", "HTTP/1.1 200 OK\r\nX-A: ", "a"),
    flooded("name", "The name of a header field", "HTTP/1.1 200 OK\r\n", "a"),
    flooded("fields", "Header fields", "HTTP/1.1 200 OK\r\n", "X-A: b\r\n"),
    flooded("folds", "A folded header field", "HTTP/1.1 200 OK\r\nX-A: b\r\n", " c\r\n"),
    flooded("informational", "Informational responses", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    flooded("continue", "Informational responses without fields", "", "HTTP/1.1 100 Continue\r\n\r\n"),
    flooded("trailers", "Trailer fields", chunkedHead + "0\r\n", "X-A: b\r\n"),
    flooded("trailer", "A trailer field", chunkedHead + "0\r\nX-A: ", "a"),
    flooded("chunk-extension", "A chunk extension", chunkedHead + "1;a=", "b", mayTimeOut: true),
    flooded("chunk-size", "A chunk size", chunkedHead, "0", mayTimeOut: true),
    flooded("blank-lines", "Blank lines", "", "\r\n", mayTimeOut: true),

    Check(
      "tiny-chunks", "A body in chunks of one byte arrives whole, and its framing does not count towards the limit."
    ) { subject in
      let chunks = String(repeating: "1\r\na\r\n", count: 50_000)
      let response = try await subject.get(.send(chunkedHead + chunks + "0\r\n\r\n"), .close)
      try require(response.body.count == 50_000, "\(response.body.count) bytes arrived.")
    },
  ])

  private static func refused(_ name: String, _ what: String, _ message: String) -> Check {
    Check(name, "\(what) is refused.") { subject in
      try await subject.expect(.protocolViolation, .malformedHead) { try await subject.get(.send(message), .close) }
    }
  }

  /// Sends `unit` repeatedly, and expects that the head is too large or, if it may time out, any error that ends the exchange.
  private static func flooded(
    _ name: String, _ what: String, _ beginning: String, _ unit: String, mayTimeOut: Bool = false
  ) -> Check {
    let outcome = mayTimeOut ? "must be refused, or run into the time limit" : "must be refused"
    return Check("endless-\(name)", "\(what) without end \(outcome).") { subject in
      let server = try subject.server(.send(beginning), .flood(unit))
      let transport = try subject.transport { if mayTimeOut { $0.timeout = .milliseconds(300) } }
      let codes: [TransportError.Code] = mayTimeOut ? [.tooLarge, .protocolViolation, .timedOut] : [.tooLarge]
      try await subject.expect(codes, mayTimeOut ? nil : .head) {
        try await transport.send(HTTPRequest(.get, server.url()))
      }
      await server.wait { $0.open == 0 }
      try require(server.counts.connections == 1, "\(server.counts.connections) connections were made.")
    }
  }
}
