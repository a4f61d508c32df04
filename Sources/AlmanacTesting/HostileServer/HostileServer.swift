// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An HTTP/1.1 server on `127.0.0.1` that sends exactly the bytes of a script, whether they are valid or not.
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
/// The handler is called for each request, and returns what happens on the connection next. A connection is kept for the next
/// request unless the script closes it. Every connection has a thread of its own, which is none of Swift concurrency's, so
/// that a script may block for as long as it likes.
public final class HostileServer: Sendable {
  /// Returns what a server does about a request.
  ///
  /// Calls may come at the same time.
  public typealias Handler = @Sendable (Request) -> [Step]

  /// The port that the server listens on.
  public let port: Int
  private let log: ServerLog

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - greeting: The steps on each connection before anything is read.
  ///   - readsBody: Whether it reads the body of a request before it calls `handler`.
  ///   - handler: Returns what to do about a request.
  /// - Throws: ``SocketError`` if the system has no socket left.
  public init(greeting: [Step] = [], readsBody: Bool = true, handler: @escaping Handler) throws {
    let listener = try Socket.listening(backlog: 1024)
    let log = ServerLog()
    port = listener.port
    self.log = log
    Thread.detachNewThread {
      defer { listener.close() }
      while let socket = listener.accept() {
        guard let number = log.opened(socket) else {
          socket.close()
          break
        }
        Thread.detachNewThread {
          var connection = HostileConnection(
            socket: socket, number: number, log: log, readsBody: readsBody, handler: handler)
          connection.serve(greeting: greeting)
          log.closed(socket)
        }
      }
    }
  }

  /// Starts a server that does the same about every request.
  public convenience init(greeting: [Step] = [], readsBody: Bool = true, _ script: Step...) throws {
    try self.init(greeting: greeting, readsBody: readsBody) { _ in script }
  }

  deinit { stop() }

  /// Closes every connection and ends the server.
  ///
  /// Stopping it again has no effect.
  public func stop() {
    // The connection wakes the thread that accepts, which sees that the server has ended.
    if log.stop() { Socket.connected(to: port)?.close() }
  }

  /// The URL of `target`, a path with or without query, at this server.
  ///
  /// A target that is no part of a URL is a mistake in the test, and ends it.
  public func url(_ target: String = "/") -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(target)") else {
      preconditionFailure("Not a path of a URL: \(target)")
    }
    return url
  }
}

extension HostileServer {
  /// What has happened at a server so far.
  public struct Counts: Sendable, Hashable {
    /// How many requests have come: those whose head was read to its end.
    public var requests = 0
    /// How many connections were accepted.
    public var connections = 0
    /// How many connections are open now.
    public var open = 0
    /// How many connections a script has closed; the client may not have closed its side yet.
    public var closed = 0
    /// How many connections were open at the same time at most.
    public var mostOpen = 0
    /// How many bytes were written in all.
    public var bytesWritten = 0
    /// How many times the client did not read for 200 ms although the server had more to write.
    public var stalls = 0

    var summary: String {
      "\(requests) requests, \(connections) connections (\(open) open), and has written \(bytesWritten) bytes"
    }
  }

  /// What has happened so far.
  public var counts: Counts { log.counts }

  /// The requests so far, in the order in which their heads came.
  public var requests: [Request] { log.requests }

  /// Waits until `condition` is true; returns early only if the current task is cancelled.
  public func wait(until condition: @Sendable (Counts) -> Bool) async {
    await Progress.step({ [log] in "the server, which has \(log.counts.summary)" }) {
      for await counts in log.updates() where condition(counts) { return }
    }
  }
}

/// The system refused a socket to a server.
public struct SocketError: Error, Sendable, CustomStringConvertible {
  /// What happened, in a sentence.
  public let description: String

  /// Creates an error.
  public init(description: String) { self.description = description }
}

extension SocketError: LocalizedError {
  /// What is wrong and where: the description.
  public var errorDescription: String? { description }
}
