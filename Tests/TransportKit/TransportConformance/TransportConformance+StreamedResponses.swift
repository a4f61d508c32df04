// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport

extension TransportConformance {
  /// The body of the check "whole-body", created once for all transports.
  private static let wholeBody = bytes(3_000_000)

  /// The responses with this body, by framing.
  private static let wholeBodyMessages: [(String, [UInt8])] = {
    let body = wholeBody
    let encoded = Gzip.stored(body)
    return [
      ("with length", "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".bytes + body),
      ("chunked", chunkedHead.bytes + chunk(body) + "0\r\n\r\n".bytes),
      ("until the end", "HTTP/1.1 200 OK\r\n\r\n".bytes + body),
      (
        "gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(encoded.count)\r\n\r\n".bytes + encoded
      ),
    ]
  }()

  static let streamedResponseChecks = Group.streaming.checks([
    Check("head-first", "The head arrives before the body, and each chunk before the next.") { subject in
      let gates = try (1...3).map { _ in try Gate() }
      let server = try subject.server(
        .send("HTTP/1.1 203 OK\r\nX-A: b\r\nContent-Length: 6\r\n\r\n"), .wait(gates[0]), .send("ab"), .wait(gates[1]),
        .send("cd"),
        .wait(gates[2]), .send("ef"))
      let response = try await subject.streamingTransport().stream(HTTPRequest(.get, server.url()))
      try require(response.status == 203 && response.fields["X-A"] == "b", "The head is wrong.")
      var text = ""
      var opened = 0
      gates[0].open()
      for try await chunk in response.body {
        text += String(chunk)
        if text.count.isMultiple(of: 2), opened < text.count / 2, text.count < 6 {
          opened = text.count / 2
          gates[opened].open()
        }
      }
      try require(text == "abcdef", "The body is \(text).")
    },

    Check("whole-body", "A streamed body arrives whole, with length, chunked, encoded and until the connection closes.")
    { subject in
      let body = wholeBody
      for (name, message) in wholeBodyMessages {
        let server = try subject.server(.send(message), .close)
        let response = try await subject.streamingTransport().stream(HTTPRequest(.get, server.url()))
        var received: [UInt8] = []
        let outcome = try await subject.outcome {
          for try await chunk in response.body {
            try require(!chunk.isEmpty, "\(name): A chunk is empty.")
            received += chunk
          }
        }
        if case .failure(let error) = outcome {
          throw Conformance.Broken(detail: "\(name): \(subject.describe(error)) after \(received.count) bytes.")
        }
        try require(received == body, "\(name): \(received.count) bytes arrived.")
      }
    },

    Check("no-body", "The body of a response without one ends at once.") { subject in
      let server = try subject.server { $0.target == "/204" ? [.response(204)] : [.response(200)] }
      let transport = try subject.streamingTransport()
      for (method, target) in [(HTTPMethod.get, "/204"), (.get, "/200"), (.head, "/200")] {
        let response = try await transport.stream(HTTPRequest(method, server.url(target)))
        for try await _ in response.body { throw Conformance.Broken(detail: "There is a chunk.") }
      }
    },

    Check("reuse", "A connection is kept when a streamed body has been read to its end.") { subject in
      let server = try subject.server(.response(200, body: Array(repeating: 97, count: 200_000)))
      let transport = try subject.streamingTransport()
      for _ in 1...3 {
        let response = try await transport.stream(HTTPRequest(.get, server.url()))
        try require(try await response.body.bytes(upTo: 200_000).count == 200_000, "The body is not whole.")
      }
      try require(server.counts.connections == 1, "\(server.counts.connections) connections were made.")
    },

    Check("backpressure", "Reading pauses while a body is not iterated, and resumes with the iteration.") { subject in
      let server = try subject.server(.send("HTTP/1.1 200 OK\r\n\r\n"), .flood("0123456789"))
      let transport = try subject.streamingTransport { $0.bodyBytes = 1 << 34 }
      let response = try await transport.stream(HTTPRequest(.get, server.url()))
      await server.wait { $0.stalls > 0 }
      let written = server.counts.bytesWritten
      try require(written < 24 << 20, "The server could write \(written >> 20) MiB.")
      var received = 0
      for try await chunk in response.body {
        received += chunk.count
        if received > written + 8 << 20 { break }
      }
      try require(received > written + 8 << 20, "Only \(received) bytes arrived afterwards.")
    },

    Check("others-go-on", "A body that is not iterated does not delay other requests.") { subject in
      let server = try subject.server { request in
        request.target == "/" ? [.response(200, body: "ok")] : [.send("HTTP/1.1 200 OK\r\n\r\n"), .flood("0123456789")]
      }
      let transport = try subject.streamingTransport { $0.bodyBytes = 1 << 34 }
      let response = try await transport.stream(HTTPRequest(.get, server.url("/endless")))
      await server.wait { $0.stalls > 0 || $0.open == 0 }
      for _ in 1...20 {
        let other = try await transport.send(HTTPRequest(.get, server.url()))
        try require(String(other.body) == "ok", "The body is wrong.")
      }
      withExtendedLifetime(response) {}
    },

    Check("dropped-body", "The connection is closed when the body is released before its end.") { subject in
      let server = try subject.server(.send("HTTP/1.1 200 OK\r\n\r\nabc"), .waitForClient)
      let transport = try subject.streamingTransport()
      func receive(reading: Bool) async throws {
        let response = try await transport.stream(HTTPRequest(.get, server.url()))
        guard reading else { return }
        for try await _ in response.body { break }
      }
      for reading in [false, true] {
        try await receive(reading: reading)
        await server.wait { $0.open == 0 }
      }
    },

    Check("cancelled-before-head", "Cancellation before the head is prompt, and closes the connection.") { subject in
      let server = try subject.server(.waitForClient)
      let transport = try subject.streamingTransport()
      try await subject.promptly("Cancellation") {
        let before = server.counts.requests
        let task = Task { try await transport.stream(HTTPRequest(.get, server.url())) }
        await server.wait { $0.requests > before }
        task.cancel()
        try await requireCancelled(task)
        await server.wait { $0.open == 0 }
      }
    },

    Check("cancelled-while-iterating", "Cancellation while iterating is prompt, and closes the connection.") {
      subject in
      for script in [[HostileServer.Step.send("a"), .waitForClient], [.flood("0123456789")]] {
        let server = try subject.server { _ in [.send("HTTP/1.1 200 OK\r\n\r\n")] + script }
        let transport = try subject.streamingTransport { $0.bodyBytes = 1 << 34 }
        try await subject.promptly(
          "Cancellation",
          after: {
            let begun = Signal()
            let task = Task {
              let response = try await transport.stream(HTTPRequest(.get, server.url()))
              for try await _ in response.body { begun.send() }
            }
            await begun.wait()
            return task
          }
        ) { task in
          task.cancel()
          try await requireCancelled(task)
          await server.wait { $0.open == 0 }
        }
      }
    },

    Check("truncated", "A body that ends early throws during iteration, after the received chunks.") { subject in
      let messages = [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", chunkedHead + "3\r\nabc\r\n", chunkedHead + "a\r\nabc",
      ]
      for message in messages {
        let server = try subject.server(.send(message), .close)
        let response = try await subject.streamingTransport().stream(HTTPRequest(.get, server.url()))
        var text = ""
        try await subject.expect(.truncated) {
          for try await chunk in response.body { text += String(chunk) }
        }
        try require(text == "abc", "The body is \(text).")
      }
    },

    Check("malformed", "A body whose framing or encoding is malformed throws during iteration.") { subject in
      let gate = try Gate()
      for (head, rest) in [
        ("Transfer-Encoding: chunked", "3\r\nabc\r\nxyz\r\n"),
        ("Content-Encoding: gzip\r\nContent-Length: 10", "0123456789"),
      ] {
        let server = try subject.server(.send("HTTP/1.1 200 OK\r\n\(head)\r\n\r\n"), .wait(gate), .send(rest), .close)
        let response = try await subject.streamingTransport().stream(HTTPRequest(.get, server.url()))
        gate.open()
        try await subject.expect(.protocolViolation, nil, head) { try await response.body.bytes(upTo: 1_000) }
      }
    },

    Check("body-limit", "The body limit applies to a streamed body.") { subject in
      let server = try subject.server(.send("HTTP/1.1 200 OK\r\n\r\n"), .flood("0123456789"))
      let transport = try subject.streamingTransport { $0.bodyBytes = 1 << 20 }
      let response = try await transport.stream(HTTPRequest(.get, server.url()))
      var received = 0
      try await subject.expect(.tooLarge, .body) {
        for try await chunk in response.body { received += chunk.count }
      }
      try require(received <= 1 << 20, "\(received) bytes arrived.")
      await server.wait { $0.open == 0 }
    },

    Check("time-limit", "The time limit applies until the last byte of the body, whether it is iterated or not.") {
      subject in
      let server = try subject.server(
        .send("HTTP/1.1 200 OK\r\n\r\n"), .flood([97], bytesPerSecond: 100))
      try await subject.within(.milliseconds(100)) { limit in
        let transport = try subject.streamingTransport { $0.timeout = limit }
        let response = try await transport.stream(HTTPRequest(.get, server.url()))
        try await subject.expect(.timedOut, .receiving) { try await response.body.bytes(upTo: .max) }
      }
      try await subject.within(.milliseconds(100)) { limit in
        let transport = try subject.streamingTransport { $0.timeout = limit }
        let response = try await transport.stream(HTTPRequest(.get, server.url()))
        await server.wait { $0.open == 0 }
        try await subject.expect(.timedOut, .receiving) { try await response.body.bytes(upTo: .max) }
      }
    },

    Check("many-at-once", "Concurrent streamed bodies each receive their own chunks.") { subject in
      let server = try subject.server { request in
        [.response(200, body: request.target.bytes.repeated(20_000))]
      }
      let transport = try subject.streamingTransport()
      try await withThrowingTaskGroup { group in
        for number in 10...40 {
          group.addTask {
            let response = try await transport.stream(HTTPRequest(.get, server.url("/\(number)")))
            let body = try await response.body.bytes(upTo: 1 << 20)
            try require(
              body == "/\(number)".bytes.repeated(20_000), "A body is wrong.")
          }
        }
        try await group.waitForAll()
      }
    },

    Check("redirect", "A redirect is followed before a body is streamed.") { subject in
      let server = try subject.server { request in
        request.target == "/" ? [.response(302, ["Location": "/to"], body: "moved")] : [.response(200, body: "there")]
      }
      let response = try await subject.streamingTransport().stream(HTTPRequest(.get, server.url()))
      try require(response.status == 200, "The status is \(response.status).")
      try require(String(try await response.body.bytes(upTo: 100)) == "there", "The body is wrong.")
      try require(response.redirectedOrigin == nil, "The response names another origin.")
    },

    Check("redirect-to-another-origin", "A streamed response names the other origin that sent it.") { subject in
      let other = try subject.server(.response(200))
      let server = try subject.server(.response(302, ["Location": "http://127.0.0.1:\(other.port)/to"]))
      let response = try await subject.streamingTransport().stream(HTTPRequest(.get, server.url()))
      let origin = response.redirectedOrigin?.description ?? "none"
      try require(origin == "http://127.0.0.1:\(other.port)", "The origin is \(origin).")
    },
  ])
}
