// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

// The check of Apple's code on Linux declares a module Darwin to select the other branch.
#if os(Linux) && !canImport(Darwin)
  import HTTPTransportCurl
#else
  import HTTPTransportURLSession
#endif

/// The default transport of the platform: `CurlTransport` on Linux, `URLSessionTransport` on Apple's platforms.
///
/// ```swift
/// let http = DefaultTransport().retrying()
/// ```
///
/// Both transports enforce the same limits and the same redirect policy. For a feature of one transport, such as client
/// certificates or a session configuration, use that transport directly, from the module HTTPTransportCurl or
/// HTTPTransportURLSession.
public struct DefaultTransport: StreamingTransport {
  #if os(Linux) && !canImport(Darwin)
    private let base: CurlTransport
  #else
    private let base: URLSessionTransport
  #endif

  /// Creates a transport.
  ///
  /// - Parameter limits: The limits of an exchange and of the connection pool.
  public init(limits: TransportLimits = TransportLimits()) { base = .init(limits: limits) }

  /// Sends a request and returns the whole response.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await base.send(request) }

  /// Sends a request and returns the response as its body arrives.
  public func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
    try await base.stream(request, body: body)
  }
}
