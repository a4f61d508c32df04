// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import PlatformFoundation

extension TransportConformance {
  static let cancellationChecks = Group.cancellation.checks([
    Check("before-start", "A cancelled task sends nothing.") { subject in
      let server = try subject.server(.response(204))
      let transport = try subject.transport()
      for method in [HTTPMethod.get, .post] {
        let cancelled = Signal()
        let task = Task {
          await cancelled.wait()
          return try await transport.send(HTTPRequest(method, server.url()))
        }
        task.cancel()
        cancelled.send()
        try await requireCancelled(task)
      }
      try require(server.requests.isEmpty, "\(server.requests.count) requests arrived.")
    },

    Check("while-connecting", "Cancellation is prompt while connecting.") { subject in
      let full = try FullPort()
      defer { full.close() }
      let transport = try subject.transport()
      try await subject.promptly("Cancellation") {
        let task = Task { try await transport.send(HTTPRequest(.get, full.url)) }
        for _ in 1...100 { await Task.yield() }
        task.cancel()
        try await requireCancelled(task)
      }
    },

    Check("while-waiting-for-a-connection", "Cancellation is prompt while all connections are in use.") { subject in
      let server = try subject.server(.waitForClient)
      let transport = try subject.transport { $0.connectionsPerHost = 1 }
      let first = Task { try await transport.send(HTTPRequest(.get, server.url("/first"))) }
      await server.wait { $0.requests == 1 }
      try await subject.promptly(
        "Cancellation",
        after: {
          let second = Task { try await transport.send(HTTPRequest(.get, server.url("/second"))) }
          for _ in 1...100 { await Task.yield() }
          return second
        }
      ) { second in
        second.cancel()
        try await requireCancelled(second)
      }
      try require(server.requests.count == 1, "The second request arrived.")
      first.cancel()
      try await requireCancelled(first)
    },

    prompt("before-head", "before the response", [.waitForClient]),
    prompt("in-head", "within the head", [.send("HTTP/1.1 200 OK\r\nX-A: b\r\n"), .waitForClient]),
    prompt("in-body", "within the body", [.send("HTTP/1.1 200 OK\r\n\r\na"), .waitForClient]),
    // 64 MiB per second. Without a rate, a transport without a limit would store gigabytes before a busy machine cancels.
    prompt(
      "in-fast-body", "while the body arrives fast",
      [
        .send("HTTP/1.1 200 OK\r\n\r\n"),
        .flood(Array(repeating: 97, count: 1 << 16), bytesPerSecond: 1 << 26),
      ]),
    prompt(
      "in-trailers", "while endless trailer fields arrive",
      [.send(chunkedHead + "0\r\n"), .flood("X-A: b\r\n".bytes, bytesPerSecond: 500_000)]),
    prompt(
      "in-fields", "while endless header fields arrive",
      [.send("HTTP/1.1 200 OK\r\n"), .flood("X-A: b\r\n".bytes, bytesPerSecond: 4_000)]),

    Check("in-request-body", "Cancellation is prompt while the request is sent, and closes the connection.") {
      subject in
      let gate = try Gate()
      let server = try subject.server(readsBody: false, .wait(gate))
      let transport = try subject.transport()
      try await subject.promptly("Cancellation") {
        let before = server.counts.requests
        let task = Task {
          try await transport.send(HTTPRequest(.post, server.url(), body: Array(repeating: 97, count: 8 << 20)))
        }
        await server.wait { $0.requests > before }
        task.cancel()
        try await requireCancelled(task)
      }
    },

    Check("in-redirects", "Cancellation is prompt while redirects are followed.") { subject in
      let server = try subject.server(.response(302, ["Location": "/"]))
      let transport = try subject.transport { $0.redirects = .max }
      try await subject.promptly("Cancellation") {
        let before = server.counts.requests
        let task = Task { try await transport.send(HTTPRequest(.get, server.url())) }
        await server.wait { $0.requests > before + 2 }
        task.cancel()
        try await requireCancelled(task)
      }
    },

    Check("at-any-time", "Cancellation at any time throws CancellationError or has no effect.") { subject in
      let server = try subject.server { request in
        request.target == "/" ? [.response(302, ["Location": "/to"])] : [.response(200, body: "there")]
      }
      let transport = try subject.transport()
      for steps in 0..<300 {
        let task = Task { try await transport.send(HTTPRequest(.get, server.url())) }
        for _ in 0..<steps { await Task.yield() }
        task.cancel()
        switch await task.result {
        case .success(let response): try require(String(response.body) == "there", "The response is wrong.")
        case .failure(let error):
          try require(error is CancellationError, "It threw \(type(of: error)) after \(steps) steps.")
        }
      }
      // On a busy machine, all requests may have been cancelled.
      let response = try await transport.send(HTTPRequest(.get, server.url()))
      try require(String(response.body) == "there", "The response is wrong.")
    },

    Check("others-go-on", "Cancellation of one request does not disturb the others.") { subject in
      let gate = try Gate()
      let server = try subject.server { request in [.wait(gate), .response(200, body: request.target)] }
      let transport = try subject.transport { $0.connectionsPerHost = 20 }
      let tasks = (0..<20).map { number in
        Task { try await transport.send(HTTPRequest(.get, server.url("/\(number)"))) }
      }
      await server.wait { $0.requests == 20 }
      for number in stride(from: 0, to: 20, by: 2) { tasks[number].cancel() }
      for number in stride(from: 0, to: 20, by: 2) { try await requireCancelled(tasks[number]) }
      gate.open()
      for number in stride(from: 1, to: 20, by: 2) {
        let response = try await tasks[number].value
        try require(String(response.body) == "/\(number)", "A response is wrong.")
      }
    },

    Check("many-while-hostile", "Cancelling many requests to a server that sends endlessly does not block the program.")
    { subject in
      let server = try subject.server(.send(chunkedHead + "0\r\n"), .flood("X-A: b\r\n".bytes, bytesPerSecond: 500_000))
      let transport = try subject.transport { $0.connectionsPerHost = 64 }
      let tasks = (0..<16).map { _ in Task { try await transport.send(HTTPRequest(.get, server.url())) } }
      await server.wait { $0.requests == 16 }
      for task in tasks { task.cancel() }
      for task in tasks {
        // The limit may have been reached first.
        if case .success = await task.result { throw Conformance.Broken(detail: "There was a response.") }
      }
      // All threads of the pool are still available.
      await withTaskGroup { group in
        for _ in 1...64 { group.addTask { await Task.yield() } }
      }
    },
  ])

  /// Cancels a request while the server performs `script`, and expects the task and the connection to end.
  private static func prompt(_ name: String, _ what: String, _ script: [HostileServer.Step]) -> Check {
    Check(name, "Cancellation is prompt \(what), and closes the connection.") { subject in
      // The fast body reaches the limit after eight seconds, after a cancellation that is not prompt has been reported.
      let transport = try subject.transport { $0.bodyBytes = 1 << 29 }
      try await subject.promptly("Cancellation") {
        let server = try subject.server { _ in script }
        let sending = Task { try await transport.send(HTTPRequest(.get, server.url())) }
        await server.wait { $0.requests == 1 }
        sending.cancel()
        // It may have reached a limit at the same time.
        if case .success = await sending.result { throw Conformance.Broken(detail: "There was a response.") }
        await server.wait { $0.open == 0 }
      }
    }
  }

  static func requireCancelled<Value>(_ task: Task<Value, any Error>) async throws {
    switch await task.result {
    case .success: throw Conformance.Broken(detail: "The cancelled task got a response.")
    case .failure(let error):
      try require(error is CancellationError, "It threw \(type(of: error)), not CancellationError.")
    }
  }
}
