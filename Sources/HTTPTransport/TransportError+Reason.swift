// SPDX-License-Identifier: Apache-2.0

extension TransportError {
  /// What exactly went wrong, beneath a ``Code-swift.struct``.
  ///
  /// More may be added: keep a `default` in a `switch`.
  public struct Reason: Sendable, Hashable, CustomStringConvertible {
    /// The reason's name.
    public let description: String
  }
}

extension TransportError.Reason {
  private init(_ description: String) { self.description = description }

  // MARK: unreachable

  /// The host's name has no address.
  public static let unknownHost = Self("unknownHost")
  /// The host refused the connection.
  public static let connectionRefused = Self("connectionRefused")
  /// No route leads to the host, or the network is down.
  public static let noRoute = Self("noRoute")
  /// The proxy could not be reached, or refused to connect to the server.
  public static let proxy = Self("proxy")

  // MARK: tls

  /// The server's certificate has expired, or is not valid yet.
  public static let certificateExpired = Self("certificateExpired")
  /// The server's certificate is for another host.
  public static let certificateWrongHost = Self("certificateWrongHost")
  /// The server's certificate does not lead to a trusted authority.
  public static let certificateUntrusted = Self("certificateUntrusted")
  /// The server's certificate has been revoked.
  public static let certificateRevoked = Self("certificateRevoked")
  /// The two sides could not agree on a TLS connection, or the server does not speak TLS 1.2 or newer.
  public static let handshake = Self("handshake")
  /// The client certificate, its key or the file of trusted authorities cannot be used.
  public static let invalidConfiguration = Self("invalidConfiguration")

  // MARK: timedOut

  /// No connection was there yet, or none of those that the limits allow was free.
  public static let connecting = Self("connecting")
  /// The request was sent, at least in part, and the head of the response had not come.
  public static let waiting = Self("waiting")
  /// The body of the response was arriving.
  public static let receiving = Self("receiving")

  // MARK: tooLarge

  /// ``TransportLimits/headerBytes`` or ``TransportLimits/headerFields``.
  public static let head = Self("head")
  /// ``TransportLimits/bodyBytes``.
  public static let body = Self("body")
  /// ``TransportLimits/encodedBodyBytes``.
  public static let encodedBody = Self("encodedBody")
  /// A body that expands so much that it cannot be delivered in pieces of bounded size.
  public static let expansion = Self("expansion")

  // MARK: protocolViolation

  /// The head of the response is malformed.
  public static let malformedHead = Self("malformedHead")
  /// The framing of the body is malformed: chunks in HTTP/1.1, frames in HTTP/2.
  public static let malformedFraming = Self("malformedFraming")
  /// The content encoding is broken or unknown.
  public static let malformedEncoding = Self("malformedEncoding")
}
