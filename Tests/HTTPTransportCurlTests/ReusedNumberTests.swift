// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// A socket's number that belongs to another connection before the transport has looked at what happened on the first one.
@Suite(.takesTurns) struct ReusedNumberTests {
  @Test(arguments: ["response", "end", "reset"])
  func whatHappenedOnAClosedSocketIsNotTheNextOnes(event: String) async throws {
    let http = CurlTransport(limits: TransportLimits(connectionsPerHost: 4))
    for _ in 1...40 {
      let (gate, answer) = (try Gate(), try Gate())
      defer {
        gate.open()
        answer.open()
      }
      let server = try HostileServer { request in
        guard request.target == "/first" else { return [.wait(answer), .response(200, body: "second")] }
        return switch event {
        case "response": [.wait(gate), .response(200, body: "first")]
        case "end": [.wait(gate), .close]
        default: [.wait(gate), .reset]
        }
      }
      defer { server.stop() }
      let first = Task(executorPreference: http.executor) {
        try await http.send(HTTPRequest(.get, server.url("/first")))
      }
      await server.wait { $0.requests == 1 }
      let second = Task(executorPreference: http.executor) {
        // This job has the transport's thread, so that it does not look at the socket until both requests were changed.
        gate.open()
        switch event {
        case "response": while server.counts.bytesWritten == 0 {}
        case "end": while server.counts.closed == 0 {}
        default: while server.counts.open > 0 {}
        }
        first.cancel()
        return try await http.send(HTTPRequest(.get, server.url("/second"), timeout: .seconds(600)))
      }
      await server.wait { $0.requests == 2 }
      answer.open()
      #expect(String(decoding: try await second.value.body, as: UTF8.self) == "second")
      await #expect(throws: CancellationError.self) { try await first.value }
    }
  }
}
