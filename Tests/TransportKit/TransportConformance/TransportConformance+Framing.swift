// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport

extension TransportConformance {
  static let framingChecks = Group.framing.checks([
    Check("length-too-long", "A body that is shorter than its length is truncated.") { subject in
      for length in ["10", "4", "1000000"] {
        try await subject.expect(.truncated, nil, length) { try await length3(subject, "Content-Length: \(length)") }
      }
    },

    Check("length-too-short", "Bytes after the announced end are no part of the response.") { subject in
      for length in 0...2 {
        let response = try await subject.value(or: .protocolViolation, what: "\(length)") {
          try await length3(subject, "Content-Length: \(length)")
        }
        guard let body = response?.body else { continue }
        try require(String(body) == "abc".prefix(length), "\(length): The body has \(body.count) bytes.")
      }
    },

    malformedLength("negative", "-3"),
    malformedLength("plus", "+3"),
    malformedLength("hexadecimal", "0x3"),
    malformedLength("word", "abc"),
    malformedLength("empty", ""),
    malformedLength("with-rest", "3;a"),
    malformedLength("fraction", "3.0"),
    malformedLength("two-in-one", "3, 4"),
    malformedLength("twice-and-different", "3\r\nContent-Length: 4"),
    malformedLength("beyond-64-bits", "1000000000000000000000000000000", .tooLarge),

    Check("length-twice-and-same", "A repeated equal length is accepted or refused.") { subject in
      let response = try await subject.value(or: .protocolViolation) {
        try await length3(subject, "Content-Length: 3\r\nContent-Length: 3")
      }
      if let response { try require(String(response.body) == "abc", "The body is wrong.") }
    },

    Check("length-and-chunks", "Chunks take precedence over a length, or the response is refused.") { subject in
      for length in ["1", "3", "100"] {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\nTransfer-Encoding: chunked\r\n\r\n"
        let response = try await subject.value(or: .protocolViolation, what: length) {
          try await subject.get(.send(head + "3\r\nabc\r\n0\r\n\r\n"), .close)
        }
        if let response { try require(String(response.body) == "abc", "\(length): The body is wrong.") }
      }
    },

    malformedChunks("word", ["xyz\r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\nxyz\r\n", "g\r\n"]),
    malformedChunks("empty-line", ["\r\n3\r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\n\r\n0\r\n\r\n", ";a=b\r\nabc\r\n"]),
    malformedChunks("negative", ["-3\r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\n-1\r\n\r\n"]),
    malformedChunks("prefix", ["+3\r\nabc\r\n0\r\n\r\n"]),
    malformedChunks("no-end", ["3\r\nabcd\r\n0\r\n\r\n", "3\r\nabc3\r\nabc\r\n0\r\n\r\n"]),

    Check("chunk-size-too-large", "A chunk size beyond the limit or beyond 64 bits is refused.") { subject in
      for size in [
        "7fffffffffffffff", "8000000000000000", "ffffffffffffffff", "10000000000000003",
        String(repeating: "f", count: 100),
      ] {
        try await subject.expect([.protocolViolation, .tooLarge, .truncated], nil, size) {
          try await subject.get(.send(chunkedHead + size + "\r\nabc\r\n0\r\n\r\n"), .close)
        }
      }
    },

    Check("unknown-transfer-encoding", "An unknown transfer encoding is refused, or read to the end of the connection.")
    { subject in
      for encoding in ["foo", "foo, chunked", "chunked, chunked", "identity"] {
        let message = "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(encoding)\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        _ = try await subject.value(or: .protocolViolation, .truncated, what: encoding) {
          try await subject.get(.send(message), .close)
        }
      }
    },
  ])

  /// Receives a body of three bytes.
  private static func length3(_ subject: Subject, _ fields: String) async throws -> HTTPResponse {
    try await subject.get(.send("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nabc"), .close)
  }

  private static func malformedLength(
    _ name: String, _ value: String, _ alternative: TransportError.Code = .protocolViolation
  ) -> Check {
    Check("length-\(name)", "A Content-Length that is not a number is refused: \(name).") { subject in
      try await subject.expect([.protocolViolation, alternative]) {
        try await length3(subject, "Content-Length: \(value)")
      }
    }
  }

  private static func malformedChunks(_ name: String, _ bodies: [String]) -> Check {
    Check("chunk-\(name)", "Malformed chunks are refused: \(name).") { subject in
      for body in bodies {
        try await subject.expect(.protocolViolation, .malformedFraming, body.debugDescription) {
          try await subject.get(.send(chunkedHead + body), .close)
        }
      }
    }
  }
}
