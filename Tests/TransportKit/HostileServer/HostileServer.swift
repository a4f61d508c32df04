// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
package import PlatformFoundation
import Support
import Synchronization
import TestSupport

/// An HTTP/1.1 server on `127.0.0.1` that sends exactly the bytes of a script, valid or not.
///
/// ```swift
/// let server = try HostileServer { request in
///   request.method == "GET" ? [.response(200, body: "ok")] : [.reset]
/// }
/// defer { server.stop() }
/// _ = try await transport.send(HTTPRequest(.get, server.url("/")))
/// await server.wait { $0.open == 0 }
/// ```
///
/// The server calls the handler for each request and performs the returned steps on the connection. It keeps a connection for the
/// next request unless the script closes it. Each connection has its own thread outside of Swift concurrency, so a script can
/// block indefinitely.
package final class HostileServer: Sendable {
  /// Returns the server's steps for a request.
  ///
  /// Calls can be concurrent.
  package typealias Handler = @Sendable (Request) -> [Step]

  /// The port that the server listens on.
  package let port: Int
  private let log: ServerLog

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - greeting: The steps on each connection before the server reads.
  ///   - readsBody: Whether the server reads the body of a request before it calls `handler`.
  ///   - handler: Returns the steps for a request.
  /// - Throws: ``SocketError`` if the system cannot create a socket or thread.
  package init(greeting: [Step] = [], readsBody: Bool = true, handler: @escaping Handler) throws {
    let listener = try Socket.listening(backlog: 1024)
    let log = ServerLog()
    port = listener.port
    self.log = log
    let isStarted = DetachedThread.start {
      defer { listener.close() }
      while let socket = listener.accept() {
        guard let number = log.opened(socket) else {
          socket.close()
          break
        }
        let isServed = DetachedThread.start {
          var connection = HostileConnection(
            socket: socket, number: number, log: log, readsBody: readsBody, handler: handler)
          connection.serve(greeting: greeting)
          log.closed(socket)
        }
        if !isServed { log.closed(socket) }
      }
    }
    guard isStarted else {
      listener.close()
      throw SocketError(description: "No thread could be started for the server.")
    }
  }

  /// Starts a server that performs the same steps for every request.
  package convenience init(greeting: [Step] = [], readsBody: Bool = true, _ script: Step...) throws {
    try self.init(greeting: greeting, readsBody: readsBody) { _ in script }
  }

  deinit { stop() }

  /// Closes all connections and stops the server.
  ///
  /// Stopping it again has no effect.
  package func stop() {
    // The connection wakes the accepting thread, which then ends.
    if log.stop() { Socket.connected(to: port)?.close() }
  }

  /// Returns the URL of `target`, a path with an optional query, at this server.
  ///
  /// An invalid target is a programming error and ends the test.
  package func url(_ target: String = "/") -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(target)") else {
      preconditionFailure("Not a valid path and query: \(target)")
    }
    return url
  }
}

extension HostileServer {
  /// The statistics of a server.
  package struct Counts: Sendable, Hashable {
    /// The number of requests whose head was received completely.
    package var requests = 0
    /// The number of accepted connections.
    package var connections = 0
    /// The number of open connections.
    package var open = 0
    /// The number of connections that a script has closed.
    ///
    /// The client may not have closed its side yet.
    package var closed = 0
    /// The maximum number of connections that were open at the same time.
    package var mostOpen = 0
    /// The total number of bytes written.
    package var bytesWritten = 0
    /// The number of times the client did not read for 200 ms although the server had more to write.
    package var stalls = 0

    var summary: String {
      "\(requests) requests, \(connections) connections (\(open) open), and has written \(bytesWritten) bytes"
    }
  }

  /// The current statistics.
  package var counts: Counts { log.counts }

  /// The requests so far, in the order in which their heads arrived.
  package var requests: [Request] { log.requests }

  /// Waits until `condition` is true.
  ///
  /// Returns early only if the current task is cancelled.
  package func wait(until condition: @Sendable (Counts) -> Bool) async {
    await Progress.step({ [log] in "the server, which has \(log.counts.summary)" }) {
      for await counts in log.updates() where condition(counts) { return }
    }
  }
}
