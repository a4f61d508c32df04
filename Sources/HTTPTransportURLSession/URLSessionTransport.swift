public import HTTPTransport
public import Timekeeping

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A transport on the system's `URLSession`.
///
/// ```swift
/// let http = URLSessionTransport()
/// let answer = try await http.send(HTTPRequest(.get, url))
/// ```
///
/// Any number of tasks may send through one transport; its connections are kept open and shared. Keep it for the life of
/// the program rather than making one for each request. It keeps no cookies, cache or credentials, and closes its
/// connections when the last copy of it goes.
///
/// **Redirects** are followed up to `TransportLimits.redirects`. Authorization, cookies and other credentials stay
/// with the origin they were given for and do not come back when a later redirect leads back; a content is not sent to
/// another origin; https never leads to http.
///
/// **Loopback** addresses are reached directly, whatever proxy is configured. On Linux the only way to tell the platform is
/// the environment: the first request to a loopback address adds these addresses to `no_proxy`, if a proxy is set and
/// `no_proxy` does not name them already.
///
/// **What the platform does not give.** Fields that come more than once arrive joined by a comma. When the server
/// compressed the content, an answer that ends early is noticed by the length on the wire alone. On Linux up to Swift 6.3,
/// Foundation ends the process when a server closes the connection in the middle of the header fields
/// ([swift-corelibs-foundation#5285](https://github.com/swiftlang/swift-corelibs-foundation/issues/5285)).
public struct URLSessionTransport: Transport {
  private let limits: TransportLimits
  private let clock: any WallClock
  private let connections: SessionConnections

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - limits: What one exchange may use up.
  ///   - configuration: The session's settings, such as proxies or a cellular policy. Cookies, cache, stored credentials
  ///     and the limit of connections are set by the transport, in a copy.
  ///   - clock: Tells when an exchange has taken too long.
  public init(
    limits: TransportLimits = TransportLimits(), configuration: URLSessionConfiguration = .ephemeral, clock: any WallClock = SystemClock()
  ) {
    self.limits = limits
    self.clock = clock
    connections = SessionConnections(configuration: configuration, limits: limits)
  }

  /// Sends `request`, follows redirects, and returns the complete answer.
  ///
  /// - Returns: The answer, whatever its status.
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled; `TransportError` with code
  ///   `invalidRequest`, `unreachable`, `connectionLost`, `timedOut`, `tls`, `truncated`, `tooLarge`, `redirectRefused` or
  ///   `protocolViolation`. A GET with a content is an `invalidRequest`, since the platform cannot send one.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try request.validate()
    guard request.method != .get || request.body == nil else {
      throw TransportError(.invalidRequest, "A GET request cannot carry a content.")
    }
    let limit = request.timeout ?? limits.timeout
    return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      group.addTask {
        try await RedirectPolicy(maximum: limits.redirects).follow(request) {
          try await connections.exchange($0, limit: limit)
        }
      }
      group.addTask {
        try await clock.sleep(for: limit)
        throw TransportError(.timedOut, "There was no complete answer within \(limit). Try again, or allow more time.")
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }
}
