// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport

extension TransportConformance {
  static let limitChecks = Group.limits.checks([
    Check("body", "A body at the limit is accepted, and a body one byte larger is refused.") { subject in
      for chunked in [false, true] {
        for size in [1_000, 1_001] {
          let body = Array(repeating: UInt8(97), count: size)
          let message =
            chunked
            ? chunkedHead.bytes + chunk(body) + "0\r\n\r\n".bytes
            : "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".bytes + body
          let server = try subject.server(.send(message))
          let transport = try subject.transport { $0.bodyBytes = 1_000 }
          let request = HTTPRequest(.get, server.url())
          if size == 1_000 {
            try require(try await transport.send(request).body == body, "The body is wrong.")
          } else {
            try await subject.expect(.tooLarge, .body) { try await transport.send(request) }
          }
        }
      }
    },

    exceeded(
      "announced-body", "A body whose announced length exceeds the limit is refused without being read.", .body,
      .send("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"), .waitForClient
    ) { $0.bodyBytes = 1_000 },

    Check("announced-body-of-head", "The Content-Length of a response to HEAD does not count towards the limit.") {
      subject in
      let server = try subject.server(.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"))
      let transport = try subject.transport { $0.bodyBytes = 1_000 }
      try require(try await transport.send(HTTPRequest(.head, server.url())).status == 200, "It was refused.")
    },

    exceeded(
      "endless-body", "A body without end is refused at the limit, and the connection is closed.", .body,
      .send("HTTP/1.1 404 Not Found\r\n\r\n"), .flood("0123456789")
    ) { $0.bodyBytes = 1 << 20 },
    exceeded(
      "endless-chunks", "Chunks without end are refused at the limit.", .body,
      .send(chunkedHead), .flood("a\r\n0123456789\r\n")
    ) { $0.bodyBytes = 1 << 20 },

    Check("endless-redirect-body", "The limit applies to the body of a redirect, too.") { subject in
      let server = try subject.server { request in
        request.target == "/"
          ? [.send("HTTP/1.1 302 Found\r\nLocation: /to\r\n\r\n"), .flood("0123456789")] : [.response(200)]
      }
      let transport = try subject.transport { $0.bodyBytes = 1 << 20 }
      // The body may also be left unread.
      let response = try await subject.value(or: .tooLarge) {
        try await transport.send(HTTPRequest(.get, server.url()))
      }
      if let response { try require(response.status == 200, "The status is \(response.status).") }
    },

    Check("encoded-body", "A body that exceeds the limit before decoding is refused.") { subject in
      let encoded = Gzip.stored(Array(repeating: 97, count: 2_000))
      let server = try subject.server(.response(200, ["Content-Encoding": "gzip"], body: encoded))
      let transport = try subject.transport { $0.encodedBodyBytes = 1_000 }
      try await subject.expect(.tooLarge, .encodedBody) { try await transport.send(HTTPRequest(.get, server.url())) }
    },
    exceeded(
      "gzip-bomb", "A gzip body that exceeds the limit after decoding is refused.", nil,
      .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".bytes + Gzip.endlessZeros.beginning),
      .flood(Gzip.endlessZeros.continuation)
    ) { $0.bodyBytes = 1 << 20 },
    exceeded(
      "gzip-bomb-twice", "A gzip body within a gzip body that exceeds the limit after decoding is refused.", nil,
      .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\n\r\n".bytes + Gzip.endlessZerosTwice.beginning),
      .flood(Gzip.endlessZerosTwice.continuation), or: .protocolViolation
    ) { $0.bodyBytes = 1 << 20 },

    Check("header-bytes", "A head within the limit is accepted, and a larger head is refused.") { subject in
      for (size, fits) in [(1_000, true), (5_000, false)] {
        let server = try subject.server(.response(200, ["X-A": String(repeating: "a", count: size)]))
        let transport = try subject.transport { $0.headerBytes = 4_000 }
        let request = HTTPRequest(.get, server.url())
        if fits {
          try require(try await transport.send(request).status == 200, "The status is wrong.")
        } else {
          try await subject.expect(.tooLarge, .head) { try await transport.send(request) }
        }
      }
    },

    Check("header-fields", "Header fields up to the limit are accepted, and more are refused.") { subject in
      for (count, fits) in [(40, true), (60, false)] {
        var fields = HTTPFields()
        for number in 1...count { fields.append("X-\(number)", "a") }
        let server = try subject.server(.response(200, fields))
        let transport = try subject.transport { $0.headerFields = 50 }
        let request = HTTPRequest(.get, server.url())
        if fits {
          let received = try await transport.send(request).fields
          try require(received.contains { $0.name.lowercased() == "x-\(count)" }, "A field is missing.")
        } else {
          try await subject.expect(.tooLarge, .head) { try await transport.send(request) }
        }
      }
    },

    exceeded(
      "trailer-fields", "Trailer fields count towards the limit of header fields.", .head,
      .send(chunkedHead + "0\r\n" + (1...60).map { "X-\($0): a\r\n" }.joined() + "\r\n"), .close
    ) { $0.headerFields = 50 },
    exceeded(
      "informational-fields", "The fields of informational responses count towards the limit of header fields.", .head,
      .send(
        String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 60)
          + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    ) { $0.headerFields = 50 },
  ])

  /// Expects that a response is too large, and that its connection is closed.
  private static func exceeded(
    _ name: String, _ promise: String, _ reason: TransportError.Reason?, _ script: HostileServer.Step...,
    or code: TransportError.Code = .tooLarge, limits: @escaping @Sendable (inout TransportLimits) -> Void
  ) -> Check {
    Check(name, promise) { subject in
      let server = try subject.server { _ in script }
      let transport = try subject.transport(limits)
      try await subject.expect([.tooLarge, code], reason) { try await transport.send(HTTPRequest(.get, server.url())) }
      await server.wait { $0.open == 0 }
    }
  }
}
