// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import Timekeeping

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A transport on the system's `URLSession`, for programs on Apple platforms.
///
/// ```swift
/// let http = URLSessionTransport()
/// let response = try await http.send(HTTPRequest(.get, url))
/// ```
///
/// Any number of tasks may send through one transport, which shares its open connections. Create one for the life of
/// the program, not one for each request. It stores no cookies, cache or credentials. It closes its connections when
/// its last copy and the last streamed body are released.
///
/// **Redirects** are followed up to `TransportLimits.redirects`. Authorization, cookies and other credentials are sent to the
/// request's origin only, and not again if a later redirect leads back. A body is not sent to another origin. No redirect leads
/// from https to http.
///
/// **Loopback** hosts and the metadata servers of clouds are reached directly, even if a proxy is configured. On Linux, only
/// the environment can exempt hosts: the first request to such a host adds these hosts to `no_proxy`, if a proxy is set and
/// `no_proxy` does not contain them.
///
/// **Platform limits.** Repeated fields arrive joined by commas, in no particular order. A GET request cannot have a body.
///
/// ## On Linux
/// Use `CurlTransport` (module HTTPTransportCurl), above all for untrusted servers and for large bodies. Up to Swift
/// 6.3, Foundation on Linux has faults that no code above it can prevent.
///
/// - **It ends the process** if a connection is closed within the head of a response
///   ([swift-corelibs-foundation#5285](https://github.com/swiftlang/swift-corelibs-foundation/issues/5285)). Three responses
///   also end it: a legal trailer field, a NUL at the start of a header line, and a redirect to `//[::1]/x` or `//a%2Fb/`.
/// - **One queue serves all sessions of a process.** A server that sends small chunks, trailer fields or a compressed
///   body that expands without end occupies the queue until it stops sending. Requests still fail at their time limit
///   and are still cancelled promptly, but no other request of the process continues meanwhile. Endless trailer fields
///   are stored in memory without a limit: 170 MB in 20 s were measured on loopback.
/// - **It cannot pause a transfer**, since a suspended one begins again. The unread part of a streamed body is stored in
///   memory, at most 32 MiB. The body of a redirect is stored completely.
/// - **It cannot wait for a request body** without blocking the queue. A streamed request body is collected before it
///   is sent, and can have at most 16 MiB.
/// - **It sends a request again**, without its body, if a kept connection turns out to be closed. A request with a
///   body, or a non-repeatable one, therefore gets a connection of its own, which is closed afterwards.
/// - **It rejects valid responses**: a status line without a reason, and a field without white space after its colon.
/// - **It hides details**: that a gzip stream ended early in a complete response, the fields of informational responses, and
///   the encoded size of a body without `Content-Length`. Some errors have no `reason`.
/// - **It reuses a kept connection** although bytes have arrived on it meanwhile.
///
/// The tests of this module list the checks of `TransportConformance` excluded for these reasons.
public struct URLSessionTransport: StreamingTransport {
  private let limits: TransportLimits
  private let clock: any WallClock
  private let connections: SessionConnections

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - limits: The limits of an exchange, and of the transport's connections.
  ///   - configuration: The session's settings, such as proxies or a cellular policy. The transport copies them, turns off cookies,
  ///     cache and stored credentials, and sets the limit of connections.
  ///   - clock: The clock for time limits.
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
  /// - Throws: `CancellationError`, promptly, if the current task is cancelled. Also `TransportError` with any code. A
  ///   GET request with a body throws code `invalidRequest`, since the platform cannot send one.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // The whole body is going to be stored.
    let response = try await exchange(request, body: nil, buffer: limits.bodyBytes)
    let body = try await response.body.bytes(upTo: limits.bodyBytes)
    return HTTPResponse(
      status: response.status, fields: response.fields, body: body, redirectedOrigin: response.redirectedOrigin)
  }

  /// Sends `request`, follows redirects, and returns as soon as the head of the response has arrived.
  ///
  /// - Parameters:
  ///   - request: The request. Its own body must be `nil` if `body` is not.
  ///   - body: The request body. On Linux it is collected before it is sent, and can have at most 16 MiB.
  /// - Returns: The head of the response, with any status, and its body. On Linux, the unread part of the body is
  ///   stored in memory, up to 32 MiB. More throws code `tooLarge`.
  /// - Throws: Any error of ``send(_:)``, or of iterating `body`.
  public func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
    #if canImport(FoundationNetworking)
      try await exchange(request, body: body, buffer: 32 << 20)
    #else
      // Reading pauses as soon as anything is stored, so this limit is never reached.
      try await exchange(request, body: body, buffer: limits.bodyBytes)
    #endif
  }

  private func exchange(_ request: HTTPRequest, body: BodyStream?, buffer: Int) async throws -> StreamedResponse {
    try request.validate()
    guard request.body == nil || body == nil else {
      throw TransportError(.invalidRequest, "The request already has a body. Remove it to send a streamed body.")
    }
    guard request.method != .get || request.body == nil && body == nil else {
      throw TransportError(.invalidRequest, "A GET request cannot carry a body on this platform.")
    }
    let deadline = Deadline(after: request.timeLimit(clock) ?? limits.timeout, clock: clock)
    return try await RedirectPolicy(maximum: limits.redirects).follow(request, body: body) {
      try await connections.exchange($0, body: $1, buffer: buffer, deadline: deadline)
    }
  }
}
