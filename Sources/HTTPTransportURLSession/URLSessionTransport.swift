// SPDX-License-Identifier: Apache-2.0

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
/// let response = try await http.send(HTTPRequest(.get, url))
/// ```
///
/// Any number of tasks may send through one transport; its connections are kept open and shared. Keep it for the life of
/// the program rather than making one for each request. It keeps no cookies, cache or credentials, and closes its
/// connections when the last copy of it, and of the bodies that it streams, goes.
///
/// **Redirects** are followed up to `TransportLimits.redirects`. Authorization, cookies and other credentials stay
/// with the origin they were given for and do not come back when a later redirect leads back; a body is not sent to
/// another origin; https never leads to http.
///
/// **Loopback** hosts are reached directly, also if a proxy is configured. On Linux the only way to tell the platform is
/// the environment: the first request to a loopback host adds these hosts to `no_proxy`, if a proxy is set and
/// `no_proxy` does not name them already.
///
/// **What no platform gives.** Fields that come more than once arrive joined by a comma, in no particular order. A GET
/// cannot have a body.
///
/// ## On Linux
/// Take `CurlTransport` (module HTTPTransportCurl) for servers that you do not trust, and for large bodies. Up to Swift 6.3,
/// Foundation on Linux has faults that no code above it can prevent.
///
/// - **It ends the process** when a connection is closed within the head of a response
///   ([swift-corelibs-foundation#5285](https://github.com/swiftlang/swift-corelibs-foundation/issues/5285)); at a legal
///   trailer field; at a NUL at the start of a header line; at a redirect to `//[::1]/x` or `//a%2Fb/`.
/// - **One queue serves all sessions of a process.** A server that sends small chunks, trailer fields or a compressed body
///   that expands without end holds that queue until it stops sending. Requests still fail at their time limit and are
///   still cancelled promptly, but no other request of the process goes on meanwhile. Trailer fields without end are held in
///   memory until the server stops, without a limit: 170 MB in 20 s were measured on loopback.
/// - **It cannot pause a transfer**, since one that is suspended begins again. What has come of a streamed body and has not
///   been read is held in memory, at most 32 MiB. The body of a redirect is held whole.
/// - **It cannot wait for a request body** without blocking that queue. A streamed request body is collected before it is
///   sent, and can have at most 16 MiB.
/// - **It sends a request again** when a kept connection turns out to be closed, and then without its body. So a request
///   that has a body, or is not repeatable, gets a connection of its own, which is closed afterwards.
/// - It refuses a status line without a reason and a field without white space after its colon. It does not tell
///   that a gzip stream ended early although the response is complete, which fields informational responses had, or how many
///   bytes a body without `Content-Length` had before it was decoded. It uses a
///   kept connection although something has come on it meanwhile. Some errors have no `reason`.
///
/// The list of checks of `TransportConformance` that are left out for these reasons is in the tests of this module.
public struct URLSessionTransport: StreamingTransport {
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
    limits: TransportLimits = TransportLimits(), configuration: URLSessionConfiguration = .ephemeral,
    clock: any WallClock = SystemClock()
  ) {
    self.limits = limits
    self.clock = clock
    connections = SessionConnections(configuration: configuration, limits: limits)
  }

  /// Sends `request`, follows redirects, and returns the complete response.
  ///
  /// - Returns: The response, with any status.
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled; `TransportError` with any code. A GET with
  ///   a body is an `invalidRequest`, since the platform cannot send one.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // All of the body is going to be held.
    let response = try await exchange(request, body: nil, buffer: limits.bodyBytes)
    let body = try await response.body.bytes(upTo: limits.bodyBytes)
    return HTTPResponse(
      status: response.status, fields: response.fields, body: body, redirectedOrigin: response.redirectedOrigin)
  }

  /// Sends `request`, follows redirects, and returns as soon as the head of the response has come.
  ///
  /// - Parameters:
  ///   - request: The request. Its own body must be `nil` if `body` is not.
  ///   - body: The request body. On Linux it is collected before it is sent, and can have at most 16 MiB.
  /// - Returns: The head of the response, with any status, and its body. On Linux, what has come of the body and has
  ///   not been read is held in memory, up to 32 MiB; more is an error with code `tooLarge`.
  /// - Throws: What ``send(_:)`` throws; any error of iterating `body`.
  public func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
    #if canImport(FoundationNetworking)
      try await exchange(request, body: body, buffer: 32 << 20)
    #else
      // Reading stops as soon as anything is held, so that this is never reached.
      try await exchange(request, body: body, buffer: limits.bodyBytes)
    #endif
  }

  private func exchange(_ request: HTTPRequest, body: BodyStream?, buffer: Int) async throws -> StreamedResponse {
    try request.validate()
    guard request.body == nil || body == nil else {
      throw TransportError(.invalidRequest, "The request has a body of its own besides the streamed one.")
    }
    guard request.method != .get || request.body == nil && body == nil else {
      throw TransportError(.invalidRequest, "A GET request cannot carry a body on this platform.")
    }
    let deadline = Deadline(after: request.timeout ?? limits.timeout, clock: clock)
    return try await RedirectPolicy(maximum: limits.redirects).follow(request, body: body) {
      try await connections.exchange($0, body: $1, buffer: buffer, deadline: deadline)
    }
  }
}
