// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import Synchronization

extension TransportConformance {
  static let streamedRequestChecks = Group.streaming.checks([
    Check("request-body", "A request body from a sequence arrives whole, with a known length and without.") { subject in
      for count in [0, 1, 40] {
        let chunks = (0..<count).map { number in Array(repeating: UInt8(number), count: 30_000) }
        let body = chunks.reduce(into: []) { $0 += $1 }
        let size = body.count
        for length in [nil, size] {
          let server = try subject.server(.response(200, body: "ok"))
          let request = HTTPRequest(.put, server.url())
          let response = try await subject.streamingTransport().stream(
            request, body: BodyStream(sequence(chunks), length: length))
          try require(String(try await response.body.bytes(upTo: 100)) == "ok", "The response is wrong.")
          try await received(server, request) { received in
            try require(received.body == body, "\(received.body.count) bytes of \(size) arrived.")
            let announced = received.fields["Content-Length"]
            try require(
              length == nil || announced == "\(size)", "Content-Length is \(announced ?? "missing"), not \(size).")
          }
        }
      }
    },

    Check("request-body-with-empty-chunks", "Empty chunks of a request body do not end it.") { subject in
      let server = try subject.server(.response(204))
      let request = HTTPRequest(.post, server.url())
      let body = BodyStream(sequence([[], [97], [], [], [98], []]))
      _ = try await subject.streamingTransport().stream(request, body: body)
      try await received(server, request) { try require(String($0.body) == "ab", "The body is \(String($0.body)).") }
    },

    Check("request-body-as-it-comes", "A request body is sent as its chunks become available.") { subject in
      let server = try subject.server(readsBody: false, .response(200, ["Connection": "close"], body: "early"), .close)
      let (chunks, more) = AsyncStream<[UInt8]>.makeStream()
      more.yield([97])
      // The sequence does not end before the response has arrived.
      let response = try await subject.streamingTransport().stream(
        HTTPRequest(.post, server.url()), body: BodyStream(chunks))
      try require(response.status == 200, "The status is \(response.status).")
      more.finish()
      _ = try await subject.outcome { try await response.body.bytes(upTo: 100) }
    },

    Check("request-backpressure", "A request body is consumed no faster than the server reads.") { subject in
      let gate = try Gate()
      let server = try subject.server(readsBody: false, .wait(gate))
      let counter = ChunkCounter(size: 65_536, count: 4_000)
      let transport = try subject.streamingTransport { $0.timeout = .milliseconds(300) }
      try await subject.expect(.timedOut) {
        try await transport.stream(HTTPRequest(.post, server.url()), body: BodyStream(counter))
      }
      try require(counter.taken < 400, "\(counter.taken) chunks of 64 KiB were taken.")
    },

    Check("request-length-mismatch", "A request body whose length differs from the announced length is an error.") {
      subject in
      for length in [2, 4] {
        let server = try subject.server(.response(204))
        try await subject.expect([.invalidRequest], nil, "\(length) for 3") {
          try await subject.streamingTransport().stream(
            HTTPRequest(.post, server.url()), body: BodyStream(sequence([[97], [98, 99]]), length: length))
        }
        try require(!server.requests.contains(where: \.isComplete), "The server got a complete request.")
      }
    },

    Check("request-body-throws", "An error that the request body throws ends the exchange and is rethrown.") {
      subject in
      for length in [nil, 1_000] {
        let server = try subject.server(.response(204))
        let body = BodyStream(
          AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield([97])
            continuation.finish(throwing: BodyFault())
          }, length: length)
        let transport = try subject.streamingTransport()
        let task = Task { try await transport.stream(HTTPRequest(.post, server.url()), body: body) }
        switch await task.result {
        case .success: throw Conformance.Broken(detail: "It succeeded.")
        case .failure(let error): try require(error is BodyFault, "It threw \(type(of: error)).")
        }
        try require(!server.requests.contains(where: \.isComplete), "The server got a complete request.")
        await server.wait { $0.open == 0 }
      }
    },

    Check("request-cancelled", "Cancellation is prompt while a request body waits for its next chunk.") { subject in
      let server = try subject.server(.response(204))
      let transport = try subject.streamingTransport()
      try await subject.promptly("Cancellation") {
        let before = server.counts.requests
        let (chunks, more) = AsyncStream<[UInt8]>.makeStream()
        more.yield([97])
        let task = Task { try await transport.stream(HTTPRequest(.post, server.url()), body: BodyStream(chunks)) }
        await server.wait { $0.requests > before }
        task.cancel()
        try await requireCancelled(task)
        more.finish()
      }
      await server.wait { $0.open == 0 }
    },

    Check("two-bodies", "A request that already has a body cannot be sent with a streamed body.") { subject in
      let server = try subject.server(.response(204))
      let request = HTTPRequest(.post, server.url(), body: [97])
      try await subject.expect(.invalidRequest) {
        try await subject.streamingTransport().stream(request, body: BodyStream([98]))
      }
      try require(server.counts.connections == 0, "A connection was made.")
    },

    Check("redirected-request-body", "A redirect that requires sending a streamed body again is refused.") { subject in
      for status in [307, 308] {
        let server = try subject.server(.response(status, ["Location": "/to"]))
        try await subject.expect(.redirectRefused) {
          try await subject.streamingTransport().stream(
            HTTPRequest(.post, server.url()), body: BodyStream(sequence([[97]])))
        }
        try require(server.requests.count == 1, "\(server.requests.count) requests arrived.")
      }
    },

    Check("redirect-to-get", "A redirect with GET is followed after a streamed body.") { subject in
      let server = try subject.server {
        $0.method == "POST" ? [.response(303, ["Location": "/to"])] : [.response(200, body: "there")]
      }
      let response = try await subject.streamingTransport().stream(
        HTTPRequest(.post, server.url()), body: BodyStream(sequence([[97]])))
      try require(String(try await response.body.bytes(upTo: 100)) == "there", "The body is wrong.")
    },

    Check("request-not-sent-again", "A streamed body is not sent again when its connection is lost.") { subject in
      let server = try subject.server { $0.method == "PUT" ? [.close] : [.response(200)] }
      let transport = try subject.streamingTransport()
      _ = try await transport.send(HTTPRequest(.get, server.url()))
      try await subject.expect(.connectionLost) {
        try await transport.stream(HTTPRequest(.put, server.url()), body: BodyStream(sequence([[97]]), length: 1))
      }
      try require(server.requests.filter { $0.method == "PUT" }.count == 1, "It was sent more than once.")
    },
  ])

  private static func sequence(_ chunks: [[UInt8]]) -> AsyncStream<[UInt8]> {
    var rest = chunks[...]
    return AsyncStream { continuation in
      while let chunk = rest.popFirst() { continuation.yield(chunk) }
      continuation.finish()
    }
  }
}

private struct BodyFault: Error {}

/// A sequence that counts the consumed chunks.
private final class ChunkCounter: AsyncSequence, Sendable {
  private let size: Int
  private let count: Int
  private let state = Mutex(0)

  init(size: Int, count: Int) {
    self.size = size
    self.count = count
  }

  var taken: Int { state.withLock { $0 } }

  func makeAsyncIterator() -> Iterator { Iterator(counter: self) }

  struct Iterator: AsyncIteratorProtocol {
    let counter: ChunkCounter

    mutating func next() async -> [UInt8]? {
      let taken = counter.state.withLock { state in
        state += 1
        return state
      }
      return taken > counter.count ? nil : Array(repeating: 97, count: counter.size)
    }
  }
}
