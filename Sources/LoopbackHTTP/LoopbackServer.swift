// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import HTTPTransport
public import PlatformFoundation
import Support

/// A small HTTP/1.1 server, reachable only from programs on the same machine.
///
/// ```swift
/// let server = try await LoopbackServer.start { request in
///   HTTPResponse(status: 200, fields: ["Content-Type": "text/plain"], body: Array("hello".utf8))
/// }
/// print(server.url)                       // http://127.0.0.1:49152
/// await server.stop()
/// ```
///
/// The server listens on `127.0.0.1` or `::1`, never on a wildcard address. It accepts only requests whose `Host` field names
/// its own loopback authority, so a web page cannot reach it through a name of its own (DNS rebinding). Messages are parsed
/// strictly by [RFC 9112](https://www.rfc-editor.org/rfc/rfc9112.html): an ambiguous request is rejected. The server runs until
/// ``stop(gracePeriod:)`` is called, even without a reference to it.
public final class LoopbackServer: Sendable {
  /// A closure that responds to one request.
  ///
  /// Calls for different connections can run at the same time.
  ///
  /// The task is cancelled if the client disconnects or the server stops. The request's URL consists of ``url`` and the
  /// requested path and query, regardless of the client's loopback name. Bytes forbidden by
  /// [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986.html) are percent-encoded. The body is complete.
  /// `Content-Length` states its size, even if it arrived in chunks.
  ///
  /// The server sets the framing fields of the response (`Content-Length`, `Transfer-Encoding`, `Connection`) itself, and adds
  /// no other field. `Connection: close` in the response closes the connection after it.
  public typealias Handler = @concurrent @Sendable (HTTPRequest) async -> HTTPResponse

  /// A closure called with the status and the reason of each request rejected by the server before the handler.
  ///
  /// The reason contains no byte of the request. The closure must return promptly: the server waits for it.
  public typealias RejectionHandler = @Sendable (_ status: Int, _ reason: String) -> Void

  /// The server's URL: `http://127.0.0.1:PORT` or `http://[::1]:PORT`.
  public let url: URL

  /// The port the server listens on.
  public let port: Int

  private let mailbox: Mailbox

  private init(url: URL, port: Int, mailbox: Mailbox) {
    self.url = url
    self.port = port
    self.mailbox = mailbox
  }

  /// Starts a server.
  ///
  /// The server accepts connections when this method returns.
  ///
  /// - Parameters:
  ///   - family: The loopback address to listen on.
  ///   - port: The port, or 0 for a port chosen by the system.
  ///   - limits: The limits for clients.
  ///   - clients: The users whose programs are served. Defaults to every user of the machine.
  ///   - rejected: The closure called for rejected requests. By default, nothing is called.
  ///   - handler: The closure for handling the requests.
  /// - Throws: ``LoopbackError``.
  public static func start(
    on family: Family = .ipv4, port: Int = 0, limits: Limits = Limits(), clients: Clients = .everyUser,
    rejected: @escaping RejectionHandler = { _, _ in }, handler: @escaping Handler
  ) async throws -> LoopbackServer {
    let listener = try ListeningSocket(family: family, port: port)
    let port = listener.port
    guard let url = URL(string: "http://\(family.host):\(port)") else {
      throw LoopbackError(.system, "The server's address cannot be expressed as a URL.")
    }
    let mailbox = try Mailbox()
    guard let readiness = ReadinessSet(), readiness.add(mailbox.wakeDescriptor, .reading, id: EventLoop.wakeID) else {
      throw LoopbackError(
        .system, "The system cannot monitor the server's socket. Raise the process's limit for open files.")
    }
    let descriptor = listener.descriptor.release()
    // The loop waits in system calls, so it runs on a thread of its own, not on a cooperative one.
    DispatchQueue(label: "LoopbackHTTP \(port)").async {
      EventLoop(
        listener: FileDescriptor(owning: descriptor), port: port, family: family, limits: limits, clients: clients,
        mailbox: mailbox, readiness: readiness, rejected: rejected, handler: handler
      ).run()
    }
    return LoopbackServer(url: url, port: port, mailbox: mailbox)
  }

  /// Stops the server: the port and every connection are closed when this method returns.
  ///
  /// Stopping twice is allowed.
  ///
  /// New connections are refused immediately. Handlers that still run after the grace period are cancelled, and not
  /// awaited. A handler that stops its own server must use a grace period of zero, since it would wait for itself.
  ///
  /// - Parameter gracePeriod: The maximum time for requests already passed to a handler. With zero, only already
  ///   returned responses are still sent.
  public func stop(gracePeriod: Duration = .zero) async {
    mailbox.stop(gracePeriod: gracePeriod)
    await mailbox.waitUntilStopped()
  }
}

extension LoopbackServer {
  /// Returns the values of `Host` for a server with this port.
  ///
  /// The default port may be omitted ([RFC 9110 § 7.2](https://www.rfc-editor.org/rfc/rfc9110.html#section-7.2)).
  package static func authorities(port: Int) -> Set<String> {
    let names = ["127.0.0.1", "[::1]", "localhost"]
    return Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
  }

  /// A loopback address.
  public enum Family: Sendable, Hashable, CaseIterable {
    /// `127.0.0.1`.
    case ipv4
    /// `::1`.
    case ipv6

    /// The host as written in a URL.
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
    /// The user of this process, and the superuser.
    ///
    /// Requests of other users get a response with status 403. The kernel reports the owner of a connection, which Linux lists
    /// in `/proc/net/tcp`. On other systems, and if the list cannot be read, every user is served.
    ///
    /// A client that is not in the list is rejected: one that has closed its end, or one outside this network
    /// namespace, such as a browser on Windows with mirrored networking.
    case thisUser
  }

  /// The limits for clients.
  public struct Limits: Sendable, Hashable {
    /// The maximum size of a request line with its header fields, and of the trailer fields, in bytes.
    ///
    /// Larger requests are rejected with status 431 or 414.
    public var headerBytes: Int
    /// The maximum size of a request body, in bytes.
    ///
    /// Larger bodies are rejected with status 413.
    public var bodyBytes: Int
    /// The maximum number of open connections.
    ///
    /// Another connection replaces the longest idle one, or waits.
    public var connections: Int
    /// The time limit for a request to arrive, from its first byte to its last, and for its response to be received.
    ///
    /// If the request takes longer to arrive, the status is 408.
    public var requestTimeout: Duration
    /// The time a connection may wait for a request.
    public var idleTimeout: Duration
    /// The time for which bytes are discarded after a response that ends the connection.
    package var drainTimeout = Duration.seconds(1)
    /// The time for which no connection is accepted after the system ran out of descriptors.
    package var acceptPause = Duration.milliseconds(100)

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
