// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport

extension TransportConformance {
  static let connectionChecks = Group.connections.checks([
    connections("reuse", "A connection is kept for the next request.", [.get, .get, .get, .get, .get], 1) { _ in
      [.response(200, body: "ok")]
    },
    connections(
      "reuse-after-chunks", "A connection is kept after a chunked response and a response to HEAD.",
      [.get, .head, .get], 1
    ) { request in
      request.method == "HEAD"
        ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")] : [.send(chunkedHead + "2\r\nok\r\n0\r\n\r\n")]
    },
    connections(
      "connection-close", "A connection is not used again after Connection: close.", [.get, .get, .get], 3
    ) { _ in [.response(200, ["Connection": "close"], body: "ok")] },

    Check("limit-per-host", "The number of open connections per host stays within the limit.") { subject in
      let gate = try Gate()
      let server = try subject.server(.wait(gate), .response(200))
      let transport = try subject.transport { $0.connectionsPerHost = 2 }
      try await withThrowingTaskGroup { group in
        for number in 1...8 {
          group.addTask { _ = try await transport.send(HTTPRequest(.get, server.url("/\(number)"))) }
        }
        await server.wait { $0.requests >= 2 }
        gate.open()
        try await group.waitForAll()
      }
      try require(server.counts.mostOpen <= 2, "\(server.counts.mostOpen) connections were open at once.")
      try require(server.counts.requests == 8, "\(server.counts.requests) requests arrived.")
    },

    Check("limit-in-total", "The total number of open connections stays within the limit.") { subject in
      let gate = try Gate()
      let servers = try (1...4).map { _ in try subject.server(.wait(gate), .response(200)) }
      let transport = try subject.transport { $0.connections = 2 }
      try await withThrowingTaskGroup { group in
        for server in servers {
          group.addTask { _ = try await transport.send(HTTPRequest(.get, server.url())) }
        }
        while servers.map(\.counts.requests).reduce(0, +) < 2 {
          try Task.checkCancellation()
          await Task.yield()
        }
        // No event shows that there will be no third connection.
        try await Task.sleep(for: .milliseconds(20))
        let open = servers.map(\.counts.open).reduce(0, +)
        try require(open <= 2, "\(open) connections were open at once.")
        gate.open()
        try await group.waitForAll()
      }
    },

    Check("wait-for-connection", "The time limit of a request includes waiting for a connection.") { subject in
      let server = try subject.server(.waitForClient)
      let transport = try subject.transport { $0.connectionsPerHost = 1 }
      let first = Task { try await transport.send(HTTPRequest(.get, server.url("/first"))) }
      await server.wait { $0.requests == 1 }
      try await subject.within(.milliseconds(100)) { limit in
        try await subject.expect(.timedOut, .connecting) {
          try await transport.send(HTTPRequest(.post, server.url("/second"), timeout: limit))
        }
      }
      try require(server.requests.count == 1, "The second request arrived.")
      first.cancel()
      _ = await first.result
    },

    Check("closed-with-transport", "Connections are closed when the last copy of the transport is released.") {
      subject in
      let server = try subject.server(.response(204))
      func use() async throws {
        let transport = try subject.transport()
        for _ in 1...2 { _ = try await transport.send(HTTPRequest(.get, server.url())) }
        try require(server.counts.open == 1, "The connection was not kept.")
      }
      try await use()
      await server.wait { $0.open == 0 }
    },

    Check("closed-under-get", "A GET whose kept connection is closed succeeds on another connection.") { subject in
      for fault in [[HostileServer.Step.close], [.reset]] {
        let server = try subject.server { $0.number == 1 ? [.response(200, body: "ok")] : fault }
        let transport = try subject.transport()
        for number in 1...4 {
          let response = try await transport.send(HTTPRequest(.get, server.url()))
          try require(String(response.body) == "ok", "Request \(number): The body is wrong.")
        }
      }
    },

    lostPOST("post-closed", "is closed", nil, .close),
    lostPOST("post-reset", "is reset", nil, .reset),
    lostPOST("post-with-body-closed", "is closed", "body".bytes, .close),
    lostPOST("post-with-body-reset", "is reset", "body".bytes, .reset),
    lostPOST("large-post-closed", "is closed", Array(repeating: 97, count: 2 << 20), .close),

    Check("idle-closed", "A GET or POST succeeds although the server closed the kept connection while it was idle.") {
      subject in
      let server = try subject.server(.response(200, body: "ok"), .close)
      let transport = try subject.transport()
      for (number, method) in [HTTPMethod.get, .post, .post, .get, .put].enumerated() {
        let response = try await transport.send(
          HTTPRequest(method, server.url(), body: method == .get ? nil : "body".bytes))
        try require(String(response.body) == "ok", "\(method): The body is wrong.")
        try require(server.requests.count == number + 1, "\(method): \(server.requests.count) requests arrived.")
        await server.wait { $0.closed == number + 1 }
      }
    },

    Check("repeatable-post", "A POST that is marked as repeatable succeeds on another connection.") { subject in
      let server = try subject.server { $0.number == 1 ? [.response(200, body: "ok")] : [.close] }
      let transport = try subject.transport()
      for number in 1...4 {
        var request = HTTPRequest(.post, server.url(), body: "body".bytes)
        request.isRepeatable = true
        let response = try await transport.send(request)
        try require(String(response.body) == "ok", "Request \(number): The body is wrong.")
      }
      for received in server.requests where received.number == 1 {
        try require(received.body == "body".bytes, "The body was not sent again.")
      }
    },

    Check("extra-bytes", "Bytes after the end of a response are not the response to the next request.") { subject in
      let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
      for response in [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", chunkedHead + "2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
      ] {
        let server = try subject.server { request in
          request.target == "/first" ? [.send(response + forged)] : [.response(200, body: "second")]
        }
        let transport = try subject.transport()
        // The first response may be refused.
        _ = try await subject.outcome { try await transport.send(HTTPRequest(.get, server.url("/first"))) }
        for target in ["/second", "/third"] {
          let second = try await transport.send(HTTPRequest(.get, server.url(target)))
          try require(String(second.body) == "second", "A request got what was sent before it.")
        }
      }
    },

    lateExtraBytes("late-extra-bytes", "HTTP/1.1 200 OK"),
    // A status line with another version must not change the version of the connection.
    lateExtraBytes("late-extra-bytes-http2", "HTTP/2 200 OK"),
    lateExtraBytes("late-extra-bytes-http2.0", "HTTP/2.0 200 OK"),
    lateExtraBytes("late-extra-bytes-http3", "HTTP/3 200 OK"),

    Check(
      "extra-bytes-with-queue",
      "Bytes after the end of a response are not the response to a request that waits for the connection."
    ) { subject in
      let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
      for _ in 1...20 {
        let gate = try Gate()
        let server = try subject.server { request in
          request.number == 1
            ? [.send(head), .wait(gate), .send("ok" + forged)] : [.response(200, body: "ok")]
        }
        let transport = try subject.transport { $0.connectionsPerHost = 4 }
        try await withThrowingTaskGroup { group in
          for number in 1...24 {
            group.addTask {
              let response = try await transport.send(HTTPRequest(.get, server.url("/\(number)")))
              try require(String(response.body) == "ok", "A request got what was sent before it.")
            }
          }
          await server.wait { $0.bytesWritten >= 4 * head.utf8.count }
          for _ in 1...1_000 { await Task.yield() }
          gate.open()
          try await group.waitForAll()
        }
      }
    },

    Check("many-at-once", "Concurrent requests each receive their own response.") { subject in
      let server = try subject.server { request in [.response(200, ["X-Target": request.target], body: request.target)]
      }
      let transport = try subject.transport()
      try await withThrowingTaskGroup { group in
        for number in 1...200 {
          group.addTask {
            let response = try await transport.send(HTTPRequest(.get, server.url("/\(number)")))
            try require(String(response.body) == "/\(number)", "A response is wrong.")
            try require(response.fields["X-Target"] == "/\(number)", "A head is wrong.")
          }
        }
        try await group.waitForAll()
      }
    },
  ])

  /// Sends requests one after the other, and counts the connections.
  private static func connections(
    _ name: String, _ promise: String, _ methods: [HTTPMethod], _ count: Int, handler: @escaping HostileServer.Handler
  ) -> Check {
    Check(name, promise) { subject in
      let server = try subject.server(handler: handler)
      let transport = try subject.transport()
      for method in methods { _ = try await transport.send(HTTPRequest(method, server.url())) }
      try require(server.counts.connections == count, "\(server.counts.connections) connections were made.")
    }
  }

  /// Receives a response, and then bytes on the connection that remains open.
  private static func lateExtraBytes(_ name: String, _ statusLine: String) -> Check {
    Check(name, "Bytes that arrive on an idle connection after \(statusLine) are not the response to the next request.")
    { subject in
      let gate = try Gate()
      // Longer than the first response, whose bytes may be counted only after the client has received it.
      let forged = "HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\n" + String(repeating: "forged", count: 100)
      let server = try subject.server { request in
        request.target == "/first"
          ? [.send("\(statusLine)\r\nContent-Length: 2\r\n\r\nok"), .wait(gate), .send(forged)]
          : [.response(200, body: "second")]
      }
      let transport = try subject.transport()
      // A version other than the connection's may be refused.
      let first = try await subject.outcome { try await transport.send(HTTPRequest(.get, server.url("/first"))) }
      if case .failure(let error) = first {
        try require(error.code == .protocolViolation, "It failed with \(subject.describe(error)).")
      }
      let written = server.counts.bytesWritten
      gate.open()
      if case .success = first { await server.wait { $0.bytesWritten >= written + forged.utf8.count } }
      let second = try await transport.send(HTTPRequest(.get, server.url("/second")))
      try require(String(second.body) == "second", "A request got what was sent before it.")
    }
  }

  /// Sends a POST on a connection that a GET left open, and loses the connection.
  private static func lostPOST(_ name: String, _ what: String, _ body: [UInt8]?, _ fault: HostileServer.Step) -> Check {
    let size = body.map { "\($0.count) bytes" } ?? "no body"
    return Check(
      name, "A POST with \(size) whose connection \(what) reaches the server at most once and throws connectionLost."
    ) { subject in
      let server = try subject.server { $0.method == "POST" ? [fault] : [.response(200, body: "ok")] }
      let transport = try subject.transport()
      for number in 1...3 {
        _ = try await transport.send(HTTPRequest(.get, server.url()))
        try await subject.expect(.connectionLost) {
          try await transport.send(HTTPRequest(.post, server.url(), body: body))
        }
        let count = server.requests.filter { $0.method == "POST" }.count
        try require(count <= number, "It reached the server more than once.")
      }
    }
  }
}
