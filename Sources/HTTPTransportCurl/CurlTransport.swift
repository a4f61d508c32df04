// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

/// A transport on libcurl, for servers and command-line programs.
///
/// ```swift
/// let http = CurlTransport()
/// let response = try await http.send(HTTPRequest(.get, url))
/// ```
///
/// It supports HTTP/1.1 and, over TLS, HTTP/2, whose connections carry many requests at once; decodes gzip, and br and zstd if
/// they are accepted; and keeps connections open and shares them. All network work happens on one thread that the transport
/// owns, or on several, so that nothing ever blocks a cooperative thread; a task that sends many requests may run there
/// (``executor``). Any number of tasks may send through one transport. Keep it for the life of the program rather than making
/// one for each request; its connections and its threads go with the last copy of it. It keeps no cookies, cache or credentials.
///
/// **Limits.** No response, however malformed, ends the process, takes longer than the time limit or more memory than
/// `TransportLimits` allow, apart from what the decoders of brotli and zstd take where they are accepted: see ``ContentCoding``.
///
/// **Redirects** are followed up to `TransportLimits.redirects`. Authorization, cookies and other credentials stay with the
/// origin they were given for; a body is not sent to another origin; https never leads to http.
///
/// **Sending once.** A request that is not repeatable is never sent a second time once a byte of it has left: if a kept
/// connection dies under it, the error is `connectionLost`.
///
/// **Streaming** uses HTTP/1.1 and a connection of its own for each exchange, so that a slow reader delays no other exchange.
public struct CurlTransport: StreamingTransport {
  private let limits: TransportLimits
  private let setup: EasyHandle.Setup
  private let connections: CurlConnections

  /// Creates a transport.
  ///
  /// Nothing is sent and no thread is started before the first request.
  ///
  /// - Parameters:
  ///   - limits: What one exchange may use up, and how many connections are kept.
  ///   - tls: Which authorities are trusted, and the client certificate if there is one.
  ///   - proxy: Which proxy is used. The environment is read here, once.
  ///   - codings: The content codings that responses may have, of those that this libcurl undoes. Defaults to gzip alone: the
  ///     others take memory that no limit of the transport bounds; see ``ContentCoding``.
  ///   - userAgent: The `User-Agent` of requests that do not have the field themselves; `nil` for none.
  ///   - threads: How many threads share the work, at most: one is enough for tens of thousands of requests a second, a server
  ///     that sends more may take as many as there are processors. Each has connections of its own, one for each host with HTTP/2, and
  ///     the limits on connections are divided among them, so that there are no more threads than connections to a host.
  public init(
    limits: TransportLimits = TransportLimits(), tls: TLSOptions = TLSOptions(), proxy: ProxyOptions = .environment,
    accepting codings: [ContentCoding] = [.gzip], userAgent: String? = "almanac", threads: Int = 1
  ) {
    self.limits = limits
    setup = EasyHandle.Setup(
      tls: tls, proxy: proxy, codings: AcceptedCodings(codings), userAgent: userAgent)
    connections = CurlConnections(limits: limits, threads: threads)
  }

  /// The transport's threads as an executor of tasks.
  ///
  /// A task that runs on it sends its request and receives its response on one thread, without waking another: 13 to 24 % less
  /// processor time for a small response.
  ///
  /// ```swift
  /// try await withTaskExecutorPreference(curl.executor) {
  ///   for url in urls { try await handle(curl.send(HTTPRequest(.get, url))) }
  /// }
  /// ```
  ///
  /// **Code that runs on it holds up every exchange of its thread**, their time limits included, until it awaits something.
  /// So it is for tasks that send and look at responses, and not for long computations or for calls that block. Tasks that
  /// still prefer it when the last copy of the transport is gone run on the global executor.
  public var executor: any TaskExecutor { connections.threads }

  /// Sends `request`, follows redirects, and returns the complete response.
  ///
  /// - Returns: The response, with any status.
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled; `TransportError` with its reason.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try request.validate()
    let deadline = Deadline(after: request.timeout ?? limits.timeout)
    return try await RedirectPolicy(maximum: limits.redirects).follow(request) {
      try await connections.exchange($0, setup: setup, limits: limits, deadline: deadline)
    }
  }

  /// Sends a request and returns the response while its body arrives.
  public func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
    try request.validate()
    guard body == nil || request.body == nil else {
      throw TransportError(.invalidRequest, "The request has a body already, and cannot take a streamed one.")
    }
    let deadline = Deadline(after: request.timeout ?? limits.timeout)
    return try await RedirectPolicy(maximum: limits.redirects).follow(request, body: body) {
      try await connections.stream($0, body: $1, setup: setup, limits: limits, deadline: deadline)
    }
  }
}
