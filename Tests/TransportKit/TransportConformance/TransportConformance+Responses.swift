// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport

extension TransportConformance {
  static let responseChecks = Group.responses.checks([
    Check("any-status", "Any status is a response, and never an error.") { subject in
      for status in [200, 201, 202, 203, 206, 299, 300, 400, 401, 403, 404, 407, 409, 418, 429, 500, 503, 599] {
        let response = try await subject.get(.response(status, body: "why"))
        try require(response.status == status, "\(status) arrived as \(response.status).")
        try require(response.body == "why".bytes, "\(status): The body is wrong.")
      }
    },

    Check("challenge", "A 401 response arrives whole, with any challenge.") { subject in
      for challenge in [
        "", "Basic", "Basic realm=\"a\"", "basic realm=a", "Basic realm=", "Basic realm=\"",
        "Bearer error=\"invalid_token\"",
        "Digest realm=\"a\", nonce=\"b\"", "Negotiate", "NTLM", ",", "=", "\"", "a=\"b\\",
        "Basic realm=\"a\", Bearer realm=\"b\"", "DPoP algs=\"ES256\"",
      ] {
        for method in [HTTPMethod.get, .post] {
          let server = try subject.server(.response(401, ["WWW-Authenticate": challenge], body: "why"))
          let response = try await subject.send(HTTPRequest(method, server.url()))
          try require(response.status == 401, "\(challenge): The status is \(response.status).")
          try require(response.body == "why".bytes, "\(challenge): The body is wrong.")
          try require(server.requests.count == 1, "\(challenge): \(server.requests.count) requests arrived.")
        }
      }
    },

    Check("bodies", "A response body of any size arrives whole, with length, chunked or until the connection closes.") {
      subject in
      for size in [0, 1, 1 << 20] {
        let body = bytes(size)
        for (name, response) in forms(of: body) {
          let received = try await subject.get(.send(response), .close)
          try require(received.body == body, "\(size) bytes, \(name): \(received.body.count) bytes arrived.")
        }
      }
    },

    Check("chunk-forms", "Chunks with extensions, leading zeros and capital digits are read.") { subject in
      let chunks = "00a;name=\"a;b\\\"c\"\r\n0123456789\r\nA ; x\r\nabcdefghij\r\n1\r\n!\r\n000;last\r\n\r\n"
      try await reads(subject, chunkedHead + chunks, "0123456789abcdefghij!")
    },

    Check("chunk-of-every-size", "A body arrives whole in chunks of any size.") { subject in
      let text = "The quick brown fox jumps over the lazy dog"
      for size in 1...text.utf8.count {
        var message = chunkedHead
        var rest = text[...]
        while !rest.isEmpty {
          message += String(min(size, rest.count), radix: 16) + "\r\n" + rest.prefix(size) + "\r\n"
          rest = rest.dropFirst(size)
        }
        try await reads(subject, message + "0\r\n\r\n", text, or: "Chunks of \(size) bytes: the body is wrong.")
      }
    },

    Check("trailers", "A response with trailer fields is read, on a closed or kept connection.") { subject in
      let message = chunkedHead + "2\r\nok\r\n0\r\nX-A: b\r\nX-C: d\r\n\r\n"
      try await reads(subject, message)
      let server = try subject.server(.send(message))
      let transport = try subject.transport()
      for _ in 1...2 {
        let response = try await transport.send(HTTPRequest(.get, server.url()))
        try require(String(response.body) == "ok", "The body is wrong.")
      }
    },

    Check("trailers-are-no-fields", "A trailer field does not become a header field.") { subject in
      let trailer = "X-B: c\r\nLocation: /to\r\nSet-Cookie: d=e\r\n\r\n"
      let response = try await subject.get(
        .send("HTTP/1.1 201 Created\r\nX-A: b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n" + trailer), .close)
      try require(response.status == 201 && String(response.body) == "ok", "The response is wrong.")
      try require(response.fields["X-A"] == "b", "A header field is missing.")
      for name in ["X-B", "Location", "Set-Cookie"] {
        try require(response.fields[name] == nil, "The trailer field \(name) is a header field.")
      }
    },

    Check("no-body", "Responses to HEAD, and those with 204 and 304, have no body, regardless of their fields.") {
      subject in
      let cases: [(HTTPMethod, String)] = [
        (.head, "200 OK\r\nContent-Length: 100"), (.head, "200 OK\r\nTransfer-Encoding: chunked"),
        (.head, "404 Not Found\r\nContent-Length: 100"), (.get, "204 No Content"), (.get, "304 Not Modified"),
        (.get, "304 Not Modified\r\nContent-Length: 100"), (.post, "204 No Content"),
      ]
      for (method, head) in cases {
        let server = try subject.server(.send("HTTP/1.1 \(head)\r\n\r\n"))
        let transport = try subject.transport()
        for _ in 1...2 {
          let response = try await transport.send(HTTPRequest(method, server.url()))
          try require(response.body.isEmpty, "\(method), \(head.prefix(3)): There is a body.")
        }
      }
    },

    Check("length-of-head", "The response to HEAD keeps its Content-Length.") { subject in
      let server = try subject.server(.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"))
      let response = try await subject.send(HTTPRequest(.head, server.url()))
      try require(
        response.fields["Content-Length"] == "100", "It is \(response.fields["Content-Length"] ?? "missing").")
    },

    Check("informational", "Informational responses are skipped, and their fields are dropped.") { subject in
      let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-A: hint\r\n\r\n"
      for before in ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 102 Processing\r\n\r\n", hints, hints + hints] {
        let response = try await subject.get(
          .send(before + "HTTP/1.1 200 OK\r\nX-B: c\r\nContent-Length: 2\r\n\r\nok"), .close)
        try require(response.status == 200, "The status is \(response.status).")
        try require(String(response.body) == "ok", "The body is wrong.")
        try require(response.fields["X-B"] == "c", "A field is missing.")
        try require(
          response.fields["Link"] == nil && response.fields["X-A"] == nil, "A field of another response is there.")
      }
    },

    Check("repeated-fields", "Repeated fields stay separate, and all fields keep their order.") { subject in
      let response = try await subject.get(
        .response(200, ["Set-Cookie": "a=1, x", "X-A": "1", "Set-Cookie": "b=2", "X-B": "2", "X-A": "3"]))
      try require(response.fields.values(for: "set-cookie") == ["a=1, x", "b=2"], "Set-Cookie is wrong.")
      try require(response.fields.values(for: "X-A") == ["1", "3"], "X-A is wrong.")
      let order = response.fields.map { $0.name.lowercased() }
      try require(
        order.filter { $0 != "content-length" } == ["set-cookie", "x-a", "set-cookie", "x-b", "x-a"],
        "The order is \(order).")
    },

    fieldForms(
      "field-white-space", "with white space around it",
      [("A:b", "b"), ("A: \t b c \t", "b c"), ("A: b:c", "b:c"), ("A: \t", "")]),
    fieldForms("field-empty", "that is empty", [("A:", ""), ("A: ", "")]),
    fieldForms("field-long", "of 16 000 bytes", [("A: " + long, long)]),

    Check("folded-field", "A folded field is one value, or refused.") { subject in
      let response = try await subject.value(or: .protocolViolation) {
        try await subject.get(.send("HTTP/1.1 200 OK\r\nX-A: b\r\n  c\r\n\td\r\nContent-Length: 0\r\n\r\n"), .close)
      }
      guard let response else { return }
      let value = response.fields["X-A"] ?? "missing"
      try require(!value.contains { $0.isNewline }, "The value has a line break.")
      try require(value.split { $0 == " " || $0 == "\t" } == ["b", "c", "d"], "The value is \(value).")
    },

    Check("status-forms", "Status lines of HTTP/1.0, and those with any reason, are read.") { subject in
      for line in ["HTTP/1.1 200 ", "HTTP/1.0 200 OK", "HTTP/1.1 200 A reason: with (anything) in it"] {
        try await reads(subject, line + "\r\nContent-Length: 2\r\n\r\nok", or: "\(line): The response is wrong.")
      }
    },

    Check("status-without-reason", "A status line without a reason and the space before it is read.") { subject in
      try await reads(subject, "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", or: "The response is wrong.")
    },

    Check("gzip", "A gzip response is decoded, with length or chunked.") { subject in
      for size in [0, 1, 100_000] {
        let body = bytes(size)
        let encoded = Gzip.stored(body)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
        for framing in [
          "Content-Length: \(encoded.count)\r\n\r\n".bytes + encoded,
          "Transfer-Encoding: chunked\r\n\r\n".bytes + chunk(encoded) + "0\r\n\r\n".bytes,
        ] {
          let response = try await subject.get(.send(head.bytes + framing), .close)
          try require(response.body == body, "\(size) bytes: \(response.body.count) bytes arrived.")
        }
      }
    },

    Check("gzip-is-asked-for", "A request accepts gzip.") { subject in
      let server = try subject.server(.response(204))
      _ = try await subject.send(HTTPRequest(.get, server.url()))
      let value = server.requests.first?.fields["Accept-Encoding"]
      try require(value?.contains("gzip") == true, "Accept-Encoding is \(value ?? "missing").")
    },

    Check("byte-at-a-time", "A response arrives whole if it is sent one byte at a time.") { subject in
      for message in [
        "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 5\r\n\r\nhello", chunkedHead + "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
      ] {
        let response = try await subject.get(.dribble(message), .close)
        try require(String(response.body) == "hello", "The body is wrong.")
      }
    },

    Check("early", "A response that arrives before the request is complete is returned.") { subject in
      let server = try subject.server(
        readsBody: false, .send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nwhy"),
        .close)
      let response = try await subject.send(
        HTTPRequest(.post, server.url(), body: Array(repeating: 97, count: 1 << 20)))
      try require(response.status == 413 && String(response.body) == "why", "The response is wrong.")
    },
  ])

  /// Requires that a message is read as a response with the status 200 and a body.
  private static func reads(
    _ subject: Subject, _ message: String, _ body: String = "ok", or detail: String = "The body is wrong."
  ) async throws {
    let response = try await subject.get(.send(message), .close)
    try require(response.status == 200 && String(response.body) == body, detail)
  }

  private static let long = String(repeating: "x", count: 16_000)

  private static func fieldForms(_ name: String, _ what: String, _ lines: [(String, String)]) -> Check {
    Check(name, "A field value \(what) arrives, without white space at its ends.") { subject in
      for (line, value) in lines {
        let name = line.prefix(20).debugDescription
        let response = try await subject.value(what: name) {
          try await subject.get(.send("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 0\r\n\r\n"), .close)
        }
        let received = response?.fields["A"]
        try require(received == value, "\(name) arrived as \((received ?? "missing").prefix(20).debugDescription).")
      }
    }
  }

  static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// Returns bytes whose pattern repeats after 64 KiB, so that missing or misplaced parts are detected.
  static func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += repeated.prefix(count - bytes.count) }
    return bytes
  }

  private static let repeated = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    "\(String(bytes.count, radix: 16))\r\n".bytes + bytes + "\r\n".bytes
  }

  private static func forms(of body: [UInt8]) -> [(String, [UInt8])] {
    let chunks = stride(from: 0, to: body.count, by: 10_000).flatMap {
      chunk(Array(body[$0..<min($0 + 10_000, body.count)]))
    }
    return [
      ("with length", "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".bytes + body),
      ("chunked", chunkedHead.bytes + chunks + "0\r\n\r\n".bytes),
      ("until the end", "HTTP/1.1 200 OK\r\n\r\n".bytes + body),
      ("until the end, HTTP/1.0", "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n".bytes + body),
    ]
  }
}
