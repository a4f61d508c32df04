// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import PlatformFoundation
import TestSupport

extension TransportConformance {
  static let faultChecks = Group.faults.checks([
    Check("refused", "A port on which nothing listens is unreachable.") { subject in
      // The port is bound, so that no other process can use it.
      let closed = try Socket.listening(backlog: nil)
      defer { closed.close() }
      guard let url = URL(string: "http://127.0.0.1:\(closed.port)/") else { return }
      for method in [HTTPMethod.get, .post] {
        try await subject.expect(.unreachable, .connectionRefused) { try await subject.send(HTTPRequest(method, url)) }
      }
    },

    Check("unknown-host", "A host name that does not exist is unreachable.") { subject in
      guard let url = URL(string: "http://host.invalid/") else { return }
      try await subject.expect(.unreachable, .unknownHost) { try await subject.send(HTTPRequest(.get, url)) }
    },

    Check("not-tls", "A server without TLS causes a TLS error.") { subject in
      let server = try subject.server(
        greeting: [.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")], .close)
      guard let url = URL(string: "https://127.0.0.1:\(server.port)/") else { return }
      try await subject.expect(.tls, .handshake) { try await subject.send(HTTPRequest(.get, url)) }
    },

    lost("closed", "is closed", .close),
    lost("reset", "is reset", .reset),

    Check(
      "closed-by-second-address",
      "A lost connection is not reported as unreachable, even if another address of the host refused first."
    ) { subject in
      let server = try subject.server(.close)
      // The IPv6 address, on which nothing listens, often comes first.
      guard let url = URL(string: "http://localhost:\(server.port)/") else { return }
      for method in [HTTPMethod.get, .post] {
        try await subject.expect(.connectionLost) { try await subject.send(HTTPRequest(method, url)) }
      }
    },

    Check("reset-in-body", "A connection that is reset in the body truncates the response.") { subject in
      let server = try subject.server(.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .reset)
      // The reset may arrive before the head.
      try await subject.expect([.truncated, .connectionLost]) {
        try await subject.send(HTTPRequest(.get, server.url()))
      }
    },

    Check("reset-in-request", "A connection that is reset while the request is sent is lost.") { subject in
      let server = try subject.server(readsBody: false, .reset)
      let request = HTTPRequest(.post, server.url(), body: Array(repeating: 97, count: 4 << 20))
      try await subject.expect(.connectionLost) { try await subject.send(request) }
      try require(server.requests.count == 1, "The request arrived \(server.requests.count) times.")
    },

    Check("closed-at-once", "A server that closes each connection before reading causes a lost connection.") {
      subject in
      let server = try subject.server(greeting: [.close], .close)
      try await subject.expect(.connectionLost) { try await subject.send(HTTPRequest(.post, server.url(), body: [97])) }
    },

    Check("next-request", "After any fault the next request succeeds.") { subject in
      let faults: [[HostileServer.Step]] = [
        [.close], [.reset], [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .close],
        [.send("nonsense\r\n\r\n"), .close], [.send(chunkedHead + "xyz\r\n"), .close],
      ]
      for fault in faults {
        let server = try subject.server { $0.target == "/fault" ? fault : [.response(200, body: "ok")] }
        let transport = try subject.transport()
        for _ in 1...3 {
          _ = try await subject.outcome { try await transport.send(HTTPRequest(.get, server.url("/fault"))) }
          let response = try await transport.send(HTTPRequest(.get, server.url("/")))
          try require(String(response.body) == "ok", "The body is wrong.")
        }
      }
    },
  ])

  private static func lost(_ name: String, _ what: String, _ step: HostileServer.Step) -> Check {
    Check(name, "A connection that \(what) without a response is lost.") { subject in
      for (method, body) in [(HTTPMethod.get, nil), (.post, nil), (.post, "body".bytes)] as [(HTTPMethod, [UInt8]?)] {
        let server = try subject.server(step)
        try await subject.expect(.connectionLost, nil, "\(method)") {
          try await subject.send(HTTPRequest(method, server.url(), body: body))
        }
        let count = server.requests.count
        try require(method == .get ? count >= 1 : count == 1, "\(method): The request arrived \(count) times.")
      }
    }
  }
}
