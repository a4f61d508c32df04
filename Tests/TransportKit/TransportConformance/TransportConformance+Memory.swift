// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import PlatformFoundation
import TestSupport

extension TransportConformance {
  static let memoryChecks = Group.memory.checks([
    bounded("fast-body", "A fast body without end", [.send("HTTP/1.1 200 OK\r\n\r\n"), .flood("0123456789")]),
    bounded("fast-chunks", "Chunks without end", [.send(chunkedHead), .flood("10\r\n0123456789abcdef\r\n")]),
    bounded("head", "A head without end", [.send("HTTP/1.1 200 OK\r\n"), .flood("X-A: b\r\n")]),
    bounded("field", "A header field without end", [.send("HTTP/1.1 200 OK\r\nX-A: "), .flood("a")]),
    bounded("trailers", "Trailer fields without end", [.send(chunkedHead + "0\r\n"), .flood("X-A: b\r\n")]),
    bounded(
      "informational", "Informational responses without end", [.flood("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")]
    ),
    bounded(
      "gzip-bomb", "A gzip body that decodes to a much larger size",
      [
        .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".bytes + Gzip.endlessZeros.beginning),
        .flood(Gzip.endlessZeros.continuation),
      ]),
    bounded(
      "gzip-bomb-twice", "A gzip body within a gzip body that decodes to a much larger size",
      [
        .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\n\r\n".bytes + Gzip.endlessZerosTwice.beginning),
        .flood(Gzip.endlessZerosTwice.continuation),
      ]),

    Check("body-that-is-not-read", "A streamed body that is not iterated uses little memory.") { subject in
      let server = try subject.server { request in
        request.target == "/" ? [.response(200)] : [.send("HTTP/1.1 200 OK\r\n\r\n"), .flood("0123456789")]
      }
      let transport = try subject.streamingTransport { $0.bodyBytes = 1 << 34 }
      _ = try await transport.send(HTTPRequest(.get, server.url()))
      let memory = ResidentMemory()
      let response = try await transport.stream(HTTPRequest(.get, server.url("/body")))
      await server.wait { $0.stalls > 0 }
      try memory.requireGrowth(atMost: 8 << 20)
      withExtendedLifetime(response) {}
    },

    Check("body-that-is-read", "A large streamed body uses little memory while it is read.") { subject in
      let server = try subject.server { request in
        request.target == "/" ? [.response(200)] : [.send("HTTP/1.1 200 OK\r\n\r\n"), .flood("0123456789")]
      }
      let transport = try subject.streamingTransport { $0.bodyBytes = 1 << 34 }
      _ = try await transport.send(HTTPRequest(.get, server.url()))
      let memory = ResidentMemory()
      let response = try await transport.stream(HTTPRequest(.get, server.url("/body")))
      var count = 0
      for try await chunk in response.body {
        count += chunk.count
        if count > 256 << 20 { break }
      }
      try memory.requireGrowth(atMost: 8 << 20)
    },

    Check("many-requests", "Completed requests release their memory.") { subject in
      let server = try subject.server(.response(200, body: Array(repeating: 97, count: 10_000)))
      let transport = try subject.transport()
      for _ in 1...500 { _ = try await transport.send(HTTPRequest(.get, server.url())) }
      let memory = ResidentMemory()
      for _ in 1...2_000 { _ = try await transport.send(HTTPRequest(.get, server.url())) }
      // The server stores the requests.
      try memory.requireGrowth(atMost: 8 << 20)
    },
  ])

  private static let ceiling = 1 << 20

  private static func bounded(_ name: String, _ what: String, _ script: [HostileServer.Step]) -> Check {
    Check(name, "\(what) uses at most 8 MiB more memory than the limit.") { subject in
      let server = try subject.server { $0.target == "/" ? [.response(200)] : script }
      let transport = try subject.transport {
        $0.bodyBytes = ceiling
        $0.encodedBodyBytes = ceiling
        $0.timeout = .seconds(2)
      }
      _ = try await transport.send(HTTPRequest(.get, server.url()))
      let memory = ResidentMemory()
      try await subject.expect([.tooLarge, .protocolViolation, .timedOut]) {
        try await transport.send(HTTPRequest(.get, server.url("/hostile")))
      }
      await server.wait { $0.open <= 1 }
      try memory.requireGrowth(atMost: ceiling + 8 << 20)
    }
  }
}

/// The memory of the process at one time.
private struct ResidentMemory {
  /// The size in bytes, or `nil` if the system does not report it.
  private let start: Int?

  init() {
    // This resets the peak: proc_pid_clear_refs(5).
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    start = ProcessUse.memory
  }

  /// Throws if the peak has grown by more than a limit.
  func requireGrowth(atMost limit: Int) throws {
    guard let start, let peak = ProcessUse.peakMemory else { return }
    try Conformance.require(
      peak - start <= limit, "The process grew by \((peak - start) >> 20) MiB, over \(limit >> 20) MiB.")
  }
}
