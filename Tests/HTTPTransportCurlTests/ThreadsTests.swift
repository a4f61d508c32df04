// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

@Suite(.takesTurns) struct ThreadsTests {
  @Test func childTasksAreSharedOutAmongTheThreads() async throws {
    let gate = try Gate()
    let server = try HostileServer(.wait(gate), .response(200))
    defer { server.stop() }
    let http = CurlTransport(threads: 3)
    let counts = try await withTaskExecutorPreference(http.executor) {
      try await withThrowingTaskGroup(of: ThreadNumber.self) { group in
        for _ in 1...12 {
          group.addTask {
            _ = try await http.send(HTTPRequest(.get, server.url()))
            return ThreadNumber.current
          }
        }
        await server.wait { $0.requests == 12 }
        gate.open()
        return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
    }
    #expect(counts.count == 3)
    #expect(counts.values.allSatisfy { $0 >= 2 }, "\(counts.values)")
  }

  @Test func aTaskStaysOnOneOfTheThreads() async throws {
    let server = try HostileServer(.response(200))
    defer { server.stop() }
    let http = CurlTransport(threads: 3)
    try await withTaskExecutorPreference(http.executor) {
      let first = ThreadNumber.current
      for _ in 1...5 {
        _ = try await http.send(HTTPRequest(.get, server.url()))
        #expect(ThreadNumber.current == first)
      }
    }
  }

  @Test func oneRequestAfterTheOtherTakesOneConnection() async throws {
    let server = try HostileServer(.response(200))
    defer { server.stop() }
    let http = CurlTransport(threads: 3)
    for _ in 1...5 { _ = try await http.send(HTTPRequest(.get, server.url())) }
    #expect(server.counts.connections == 1)
  }

  @Test(arguments: [(limit: 5, threads: 3), (limit: 2, threads: 3), (limit: 1, threads: 3)])
  func theThreadsHaveTheLimitOnConnectionsBetweenThem(limit: Int, threads: Int) async throws {
    let gate = try Gate()
    let server = try HostileServer(.wait(gate), .response(200))
    defer { server.stop() }
    let limits = TransportLimits(connectionsPerHost: limit)
    let http = CurlTransport(limits: limits, threads: threads)
    try await withThrowingTaskGroup { group in
      for _ in 1...12 { group.addTask { try await http.send(HTTPRequest(.get, server.url())).status } }
      await server.wait { $0.requests == limit }
      gate.open()
      for try await status in group { #expect(status == 200) }
    }
    #expect(server.counts.mostOpen == limit)
  }

  /// Each request has a connection, whichever threads two tasks choose at the same time.
  @Test func asManyRequestsAsConnectionsDoNotWaitForOneAnother() async throws {
    let limits = TransportLimits(connectionsPerHost: 12)
    for _ in 1...40 {
      let gate = try Gate()
      defer { gate.open() }
      let server = try HostileServer(.wait(gate), .response(200))
      defer { server.stop() }
      let http = CurlTransport(limits: limits, threads: 3)
      try await withThrowingTaskGroup { group in
        for _ in 1...12 { group.addTask { try await http.send(HTTPRequest(.get, server.url())).status } }
        await server.wait { $0.requests == 12 }
        gate.open()
        for try await status in group { #expect(status == 200) }
      }
    }
  }

  /// A stream takes the only connection of its thread, so a request by its reader is sent from another thread.
  @Test func noRequestWaitsForTheReaderOfAStream() async throws {
    let gate = try Gate()
    defer { gate.open() }
    let server = try HostileServer { request in
      request.target == "/stream"
        ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nab"), .wait(gate), .send("cdef")] : [.response(200)]
    }
    defer { server.stop() }
    let http = CurlTransport(limits: TransportLimits(connectionsPerHost: 2), threads: 2)
    for executor in [http.executor, nil] {
      try await withTaskExecutorPreference(executor) {
        let stream = try await http.stream(HTTPRequest(.get, server.url("/stream")), body: nil)
        try await withThrowingTaskGroup { group in
          for _ in 1...8 {
            group.addTask {
              try await http.send(HTTPRequest(.get, server.url("/other"), timeout: .seconds(600))).status
            }
          }
          for try await status in group { #expect(status == 200) }
        }
        var body = stream.body.makeAsyncIterator()
        #expect(try await body.next() == Array("ab".utf8))
      }
    }
  }

  @Test func noNumberOfThreadsIsTooSmall() async throws {
    let server = try HostileServer(.response(200))
    defer { server.stop() }
    for threads in [0, -1, .min] {
      #expect(try await CurlTransport(threads: threads).send(HTTPRequest(.get, server.url())).status == 200)
    }
  }
}
