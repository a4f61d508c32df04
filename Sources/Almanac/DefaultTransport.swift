// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

// Linux has no Darwin: the check of Apple's code on Linux, which declares one, takes the other branch.
#if os(Linux) && !canImport(Darwin)
  import HTTPTransportCurl
#else
  import HTTPTransportURLSession
#endif

/// The transport for this platform: `CurlTransport` on Linux, `URLSessionTransport` on Apple's platforms.
///
/// ```swift
/// let http = DefaultTransport().retrying()
/// ```
///
/// Both obey the same limits and the same policy for redirects. Pick one of them, from the modules HTTPTransportCurl and
/// HTTPTransportURLSession, for what it alone can do, such as client certificates or a session configuration.
public struct DefaultTransport: StreamingTransport {
  #if os(Linux) && !canImport(Darwin)
    private let base: CurlTransport
  #else
    private let base: URLSessionTransport
  #endif

  /// Creates a transport.
  ///
  /// - Parameter limits: What one exchange may use up, and how many connections are kept.
  public init(limits: TransportLimits = TransportLimits()) { base = .init(limits: limits) }

  /// Sends a request and returns the whole response.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await base.send(request) }

  /// Sends a request and returns the response while its body arrives.
  public func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
    try await base.stream(request, body: body)
  }
}
