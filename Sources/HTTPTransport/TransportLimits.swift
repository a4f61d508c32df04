// SPDX-License-Identifier: Apache-2.0

/// The limits of an exchange, and of a transport's connections.
///
/// ```swift
/// let http = CurlTransport(limits: TransportLimits(timeout: .seconds(10), bodyBytes: 1 << 20))
/// ```
///
/// A response that exceeds a size limit ends the exchange with ``TransportError/Code/tooLarge``, and the connection is
/// closed.
public struct TransportLimits: Sendable, Hashable {
  /// The maximum duration of an exchange, including redirects, if the request sets none.
  public var timeout: Duration
  /// The maximum number of consecutive redirects.
  ///
  /// With 0, a redirect is a response like any other.
  public var redirects: Int
  /// The maximum size of a response's head in bytes: status lines, header fields and trailer fields together, including
  /// informational responses.
  public var headerBytes: Int
  /// The maximum number of header and trailer fields of a response, including those of informational responses.
  public var headerFields: Int
  /// The maximum size of a response body in bytes, after content encodings such as gzip are decoded.
  public var bodyBytes: Int
  /// The maximum size of a response body as transferred, in bytes, before content encodings are decoded, or `nil` for
  /// ``bodyBytes``.
  public var encodedBodyBytes: Int?
  /// The maximum number of open connections per host.
  ///
  /// Further requests wait, within their time limit.
  public var connectionsPerHost: Int
  /// The maximum number of open connections in total.
  public var connections: Int

  /// Creates limits.
  ///
  /// Set ``encodedBodyBytes`` as a property.
  public init(
    timeout: Duration = .seconds(60), redirects: Int = 10, headerBytes: Int = 128 * 1024, headerFields: Int = 512,
    bodyBytes: Int = 64 * 1024 * 1024, connectionsPerHost: Int = 16, connections: Int = 256
  ) {
    self.timeout = timeout
    self.redirects = redirects
    self.headerBytes = headerBytes
    self.headerFields = headerFields
    self.bodyBytes = bodyBytes
    self.connectionsPerHost = connectionsPerHost
    self.connections = connections
  }
}

extension TransportLimits {
  /// The maximum size of a response body as transferred, in bytes.
  package var encodedBodyLimit: Int { encodedBodyBytes ?? bodyBytes }
}
