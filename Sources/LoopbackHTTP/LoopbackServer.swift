// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import HTTPTransport
import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A small HTTP/1.1 server that only programs on the same machine can reach.
///
/// ```swift
/// let server = try await LoopbackServer.start { request in
///   HTTPResponse(status: 200, fields: ["Content-Type": "text/plain"], body: Array("hello".utf8))
/// }
/// print(server.url)                       // http://127.0.0.1:49152
/// await server.stop()
/// ```
///
/// It listens on `127.0.0.1` or `::1`, never on a wildcard address, and accepts only requests whose `Host` field names
/// its own loopback authority, so that a web page cannot reach it through a name of its own (DNS rebinding). Messages are
/// read by the letter of [RFC 9112](https://www.rfc-editor.org/rfc/rfc9112.html): a request that two readers could understand
/// differently is refused. It serves until ``stop(gracePeriod:)`` is called, even without any reference to it.
public final class LoopbackServer: Sendable {
  /// Responds to one request.
  ///
  /// Calls for different connections come at the same time.
  ///
  /// The task is cancelled when the client goes away or the server stops. The request's URL is made of ``url`` and the
  /// path and query that were requested, by whichever name of the loopback address the client reached it. Its body is complete,
  /// and `Content-Length` tells its size also when it came in chunks.
  ///
  /// The server sets the framing fields of the response (`Content-Length`, `Transfer-Encoding`, `Connection`) itself, and
  /// adds no other. A `Connection: close` in the response ends the connection after it.
  public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

  /// `http://127.0.0.1:PORT` or `http://[::1]:PORT`.
  public let url: URL

  /// The port it listens on.
  public let port: Int

  private let mailbox: Mailbox

  private init(url: URL, port: Int, mailbox: Mailbox) {
    self.url = url
    self.port = port
    self.mailbox = mailbox
  }

  /// Starts a server.
  ///
  /// It accepts connections when this returns.
  ///
  /// - Parameters:
  ///   - family: The loopback address to listen on.
  ///   - port: The port, or 0 for one that the system picks.
  ///   - limits: What a client may use up.
  ///   - clients: The users whose programs are served. Defaults to every user of the machine.
  ///   - handler: Handles the requests.
  /// - Throws: ``LoopbackError``.
  public static func start(
    on family: Family = .ipv4, port: Int = 0, limits: Limits = Limits(), clients: Clients = .everyUser,
    handler: @escaping Handler
  ) async throws -> LoopbackServer {
    let listener = try ListeningSocket(family: family, port: port)
    let port = listener.port
    guard let url = URL(string: "http://\(family.host):\(port)") else {
      throw LoopbackError(.system, "The URL of the listener cannot be written as a URL.")
    }
    let mailbox = try Mailbox()
    guard let readiness = ReadinessSet(), readiness.add(mailbox.wakeDescriptor, .reading, id: EventLoop.wakeID) else {
      throw LoopbackError(.system, "The system refused to watch a descriptor.")
    }
    let descriptor = listener.descriptor.release()
    // The loop waits inside the system, so it gets a thread of its own and no cooperative one.
    DispatchQueue(label: "LoopbackHTTP \(port)").async {
      EventLoop(
        listener: FileDescriptor(owning: descriptor), port: port, family: family, limits: limits, clients: clients,
        mailbox: mailbox, readiness: readiness, handler: handler
      ).run()
    }
    return LoopbackServer(url: url, port: port, mailbox: mailbox)
  }

  /// Stops the server: the port and every connection are closed when this returns.
  ///
  /// Stopping twice is fine.
  ///
  /// New connections are refused at once. Handlers still running after the grace period are cancelled, and not waited for.
  /// A handler that stops its own server gives it no grace period, since it would wait for itself.
  ///
  /// - Parameter gracePeriod: How long requests that a handler already has may take before they are cut
  ///   off. With zero, only responses that handlers have already returned are still sent.
  public func stop(gracePeriod: Duration = .zero) async {
    mailbox.stop(gracePeriod: gracePeriod)
    await mailbox.waitUntilStopped()
  }
}

extension LoopbackServer {
  /// A loopback address.
  public enum Family: Sendable, Hashable, CaseIterable {
    /// `127.0.0.1`.
    case ipv4
    /// `::1`.
    case ipv6

    /// As it is written in a URL.
    var host: String {
      switch self {
      case .ipv4: "127.0.0.1"
      case .ipv6: "[::1]"
      }
    }
  }

  /// The users whose programs a server serves.
  public enum Clients: Sendable, Hashable {
    /// Every user of the machine.
    case everyUser
    /// The user of this process, and the superuser. Requests of other users get a response with status 403.
    ///
    /// The kernel says whom a connection belongs to. Linux lists that in `/proc/net/tcp`. On other systems, and where the list
    /// cannot be read, every user is served. A client that cannot be found in the list is refused: one that has closed its end,
    /// and one outside of this network namespace, such as a browser on Windows with mirrored networking.
    case thisUser
  }

  /// What a client may use up.
  public struct Limits: Sendable, Hashable {
    /// The bytes of a request line and its header fields, and of the trailer fields; 431 or 414 beyond it.
    public var headerBytes: Int
    /// The bytes of a request's content; 413 beyond it.
    public var bodyBytes: Int
    /// The connections open at once.
    ///
    /// One more takes the place of the one that has been idle longest, or waits.
    public var connections: Int
    /// How long a request may take to arrive, from its first byte to its last (408 beyond it), and its response to be taken.
    public var requestTimeout: Duration
    /// How long a connection may wait for a request.
    public var idleTimeout: Duration

    /// Creates limits.
    public init(
      headerBytes: Int = 32 * 1024, bodyBytes: Int = 4 * 1024 * 1024, connections: Int = 256,
      requestTimeout: Duration = .seconds(15), idleTimeout: Duration = .seconds(30)
    ) {
      self.headerBytes = headerBytes
      self.bodyBytes = bodyBytes
      self.connections = connections
      self.requestTimeout = requestTimeout
      self.idleTimeout = idleTimeout
    }
  }
}
