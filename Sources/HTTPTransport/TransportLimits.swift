// SPDX-License-Identifier: Apache-2.0

/// What one exchange may use up, and how many connections a transport keeps.
///
/// ```swift
/// let http = CurlTransport(limits: TransportLimits(timeout: .seconds(10), bodyBytes: 1 << 20))
/// ```
///
/// A response that goes past a limit ends the exchange with ``TransportError/Code/tooLarge``, and the connection is closed.
public struct TransportLimits: Sendable, Hashable {
  /// How long an exchange may take, redirects included, if the request does not say.
  public var timeout: Duration
  /// How many redirects are followed, one after the other.
  ///
  /// With 0, a redirect is a response like any other.
  public var redirects: Int
  /// The largest head of a response in bytes: status lines, header fields and trailer fields together, informational
  /// responses included.
  public var headerBytes: Int
  /// The largest number of header and trailer fields of a response, those of informational responses included.
  public var headerFields: Int
  /// The largest response body in bytes, after content encodings such as gzip are undone.
  public var bodyBytes: Int
  /// The largest response body in bytes as it is transferred, before content encodings are undone; `nil` for ``bodyBytes``.
  public var encodedBodyBytes: Int?
  /// How many connections to one host are open at once.
  ///
  /// Further requests wait, within their time limit.
  public var connectionsPerHost: Int
  /// How many connections are open at once in total.
  public var connections: Int

  /// Creates limits.
  public init(
    timeout: Duration = .seconds(60), redirects: Int = 10, headerBytes: Int = 128 * 1024, headerFields: Int = 512,
    bodyBytes: Int = 64 * 1024 * 1024, encodedBodyBytes: Int? = nil, connectionsPerHost: Int = 16,
    connections: Int = 256
  ) {
    self.timeout = timeout
    self.redirects = redirects
    self.headerBytes = headerBytes
    self.headerFields = headerFields
    self.bodyBytes = bodyBytes
    self.encodedBodyBytes = encodedBodyBytes
    self.connectionsPerHost = connectionsPerHost
    self.connections = connections
  }
}

extension TransportLimits {
  /// The largest response body in bytes as it is transferred.
  package var encodedBodyLimit: Int { encodedBodyBytes ?? bodyBytes }
}
