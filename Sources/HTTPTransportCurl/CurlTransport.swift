// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

/// A transport on libcurl, for servers and command-line programs.
///
/// ```swift
/// let http = CurlTransport()
/// let response = try await http.send(HTTPRequest(.get, url))
/// ```
///
/// It supports HTTP/1.1 and, over TLS, HTTP/2 with many requests per connection. It decodes gzip, and br and zstd if
/// they are accepted. It keeps connections open and shares them. All network work happens on a thread owned by the
/// transport, so nothing blocks a cooperative thread.
///
/// Any number of tasks can use one transport. Create one for the life of the program, not one for each request: its connections
/// and its thread end with its last copy. It stores no cookies, cached responses or credentials.
///
/// **Limits.** No response, however malformed, ends the process or takes longer than the time limit. No response takes
/// more memory than `TransportLimits` allow, apart from the decoders of brotli and zstd if they are accepted. See
/// ``ContentCoding``.
///
/// **Redirects** are followed up to `TransportLimits.redirects`. Authorization, cookies and other credentials are sent to the
/// request's origin only. A body is not sent to another origin. No redirect leads from https to http.
///
/// **Sending once.** A non-repeatable request is never sent a second time once a byte of it has been sent. If a kept
/// connection breaks during such a request, the error is `connectionLost`.
///
/// **Streaming** uses HTTP/1.1 and a separate connection for each exchange, so a slow reader delays no other exchange.
public struct CurlTransport: StreamingTransport {
  private let connections: CurlConnections

  /// Creates a transport.
  ///
  /// The transport sends nothing and starts no thread before the first request.
  ///
  /// - Parameters:
  ///   - limits: The limits of an exchange, and of the transport's connections.
  ///   - tls: The trusted authorities and the client certificate.
  ///   - proxy: The proxies. Defaults to those of the environment at the time of this call.
  ///   - codings: The allowed content codings of responses, if libcurl decodes them. Defaults to gzip only, because the
  ///     transport's limits do not bound the memory of the other decoders. See ``ContentCoding``.
  ///   - userAgent: The `User-Agent` of requests without this field, or `nil` for none.
  public init(
    limits: TransportLimits = TransportLimits(), tls: TLSOptions = TLSOptions(), proxy: ProxyOptions = .environment,
    accepting codings: [ContentCoding] = [.gzip], userAgent: String? = "almanac"
  ) {
    connections = CurlConnections(
      limits: limits,
      setup: EasyHandle.Setup(tls: tls, proxy: proxy, codings: AcceptedCodings(codings), userAgent: userAgent))
  }

  /// Sends `request`, follows redirects, and returns the complete response.
  ///
  /// - Returns: The response, with any status.
  /// - Throws: `CancellationError`, promptly, if the current task is cancelled. Also `TransportError` with its reason.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try request.validate()
    let deadline = Deadline(after: request.timeLimit() ?? connections.limits.timeout)
    return try await RedirectPolicy(maximum: connections.limits.redirects).follow(request) {
      try await connections.exchange($0, deadline: deadline)
    }
  }

  /// Sends a request and returns the response while its body arrives.
  public func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
    try request.validate()
    guard body == nil || request.body == nil else {
      throw TransportError(.invalidRequest, "The request already has a body. Remove it to send a streamed body.")
    }
    let deadline = Deadline(after: request.timeLimit() ?? connections.limits.timeout)
    return try await RedirectPolicy(maximum: connections.limits.redirects).follow(request, body: body) {
      try await connections.stream($0, body: $1, deadline: deadline)
    }
  }
}
