// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import PlatformFoundation
import TestSupport

extension TransportConformance {
  static let timeChecks = Group.time.checks([
    Check("connect", "Connecting to a host that does not accept connections times out.") { subject in
      let full = try FullPort()
      defer { full.close() }
      try await timedOut(subject, .connecting, full.url)
    },

    timedOut("hang", "A server that does not respond", .waiting, [.waitForClient]),
    timedOut(
      "hang-after-informational", "A server that sends an informational response only", .waiting,
      [.send("HTTP/1.1 100 Continue\r\n\r\n"), .waitForClient]),
    timedOut(
      "trickle", "A server that sends a byte occasionally", .receiving,
      [.send("HTTP/1.1 200 OK\r\n\r\n"), .flood([97], bytesPerSecond: 100)]),
    timedOut(
      "trickle-of-fields", "A server that sends a header field occasionally", .waiting,
      [.send("HTTP/1.1 200 OK\r\n"), .flood("X-A: b\r\n".bytes, bytesPerSecond: 800)]),
    timedOut(
      "slow-body", "A body without end at 0.5 MB a second", .receiving,
      [.send("HTTP/1.1 200 OK\r\n\r\n"), .flood(Array(repeating: 97, count: 5_000), bytesPerSecond: 500_000)]),
    timedOut(
      "slow-chunks", "Chunks without end at 0.5 MB a second", .receiving,
      [
        .send(chunkedHead),
        .flood(chunk([97, 97]).repeated(600), bytesPerSecond: 500_000),
      ]),
    timedOut(
      "slow-trailers", "Trailer fields without end, too slow to reach any other limit", .receiving,
      [.send(chunkedHead + "0\r\n"), .flood("X-A: b\r\n".bytes, bytesPerSecond: 400)]),
    timedOut(
      "slow-gzip", "A gzip body without end at a few bytes a second", .receiving,
      [
        .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".bytes + Gzip.endlessZeros.beginning),
        .flood(Array(Gzip.endlessZeros.continuation.prefix(13)), bytesPerSecond: 1_300),
      ]),

    Check("fast-body", "A fast body without end ends at the time limit or the size limit.") { subject in
      let server = try subject.server(.send("HTTP/1.1 200 OK\r\n\r\n"), .flood("0123456789"))
      let transport = try subject.transport { $0.bodyBytes = 1 << 26 }
      try await subject.within(.milliseconds(100)) { limit in
        // It is fast enough to reach either limit.
        try await subject.expect([.timedOut, .tooLarge]) {
          try await transport.send(HTTPRequest(.get, server.url(), timeout: limit))
        }
      }
    },

    Check("request-body", "A request that the server does not read times out.") { subject in
      let gate = try Gate()
      let server = try subject.server(readsBody: false, .wait(gate))
      try await timedOut(subject, .waiting, server.url(), body: Array(repeating: 97, count: 16 << 20))
    },

    Check("request-overrides", "A request's own time limit replaces the transport's, whether it is shorter or longer.")
    { subject in
      let server = try subject.server(.waitForClient)
      let patient = try subject.transport()
      try await subject.within(.milliseconds(100)) { limit in
        try await subject.expect(.timedOut, .waiting) {
          try await patient.send(HTTPRequest(.get, server.url(), timeout: limit))
        }
      }
      let impatient = try subject.transport { $0.timeout = .zero }
      let good = try subject.server(.response(204))
      try require(
        try await impatient.send(HTTPRequest(.get, good.url(), timeout: .seconds(600))).status == 204,
        "The status is wrong.")
      try await subject.expect(.timedOut) { try await impatient.send(HTTPRequest(.get, good.url())) }
    },

    Check("many-at-once", "Time limits apply to concurrent requests.") { subject in
      let server = try subject.server(.waitForClient)
      try await subject.within(.milliseconds(100)) { limit in
        let transport = try subject.transport {
          $0.timeout = limit
          $0.connectionsPerHost = 100
        }
        try await withThrowingTaskGroup { group in
          for _ in 1...50 {
            group.addTask {
              try await subject.expect(.timedOut) { try await transport.send(HTTPRequest(.get, server.url())) }
            }
          }
          try await group.waitForAll()
        }
      }
    },
  ])

  private static func timedOut(
    _ name: String, _ what: String, _ reason: TransportError.Reason, _ script: [HostileServer.Step]
  ) -> Check {
    Check(name, "\(what): the request times out, and the connection is closed.") { subject in
      let server = try subject.server { _ in script }
      try await timedOut(subject, reason, server.url())
      await server.wait { $0.open == 0 }
    }
  }

  private static func timedOut(
    _ subject: Subject, _ reason: TransportError.Reason, _ url: URL, body: [UInt8]? = nil
  ) async throws {
    try await subject.within(.milliseconds(100)) { limit in
      let transport = try subject.transport { $0.timeout = limit }
      let start = ContinuousClock.now
      try await subject.expect(.timedOut, reason) {
        try await transport.send(HTTPRequest(body == nil ? .get : .post, url, body: body))
      }
      // Timers may round to whole milliseconds and start before the call.
      let time = ContinuousClock.now - start
      try require(time >= limit - .milliseconds(50), "It timed out after \(time), before its limit of \(limit).")
    }
  }
}

/// A port on which the system accepts no connection, because its backlog is full.
struct FullPort {
  let url: URL
  private let sockets: [Socket]

  init() throws {
    let listener = try Socket.listening(backlog: 0)
    var sockets = [listener]
    for _ in 1...4 { sockets.append(try Socket.connecting(to: listener.port)) }
    self.sockets = sockets
    guard let url = URL(string: "http://127.0.0.1:\(listener.port)/") else {
      throw SocketError(description: "There is no URL for port \(listener.port).")
    }
    self.url = url
  }

  func close() { for socket in sockets { socket.close() } }
}
