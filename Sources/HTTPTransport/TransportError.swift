// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why no complete response came.
///
/// Branch on ``code``, and on ``reason`` where the difference matters; show ``message``. None of them ever holds a body, a
/// field value or a query.
public struct TransportError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it was.
  ///
  /// More may be added: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The request could not be sent: malformed URL, method or field.
    ///
    /// Sending it again will not help.
    public static let invalidRequest = Code(description: "invalidRequest")
    /// No connection: name not found, refused, no network.
    ///
    /// The request did not reach a server, so that any request may be sent again.
    public static let unreachable = Code(description: "unreachable")
    /// The connection was lost after the request may have been received, before a response came.
    public static let connectionLost = Code(description: "connectionLost")
    /// The exchange took longer than its limit.
    public static let timedOut = Code(description: "timedOut")
    /// The TLS connection could not be trusted or set up.
    public static let tls = Code(description: "tls")
    /// The response ended before its announced end.
    public static let truncated = Code(description: "truncated")
    /// The response went past one of the ``TransportLimits``.
    public static let tooLarge = Code(description: "tooLarge")
    /// A redirect was refused: https to http, too many, or a body that may not be sent again.
    public static let redirectRefused = Code(description: "redirectRefused")
    /// The response is not valid HTTP, or its content encoding is broken.
    public static let protocolViolation = Code(description: "protocolViolation")
  }

  /// The kind of fault.
  public let code: Code
  /// What exactly it was, as far as the transport can tell; `nil` if it cannot.
  public let reason: Reason?
  /// What happened and what to do, in a sentence.
  public let message: String
  /// The underlying error, for a debugger; never part of a description.
  public let cause: (any Error)?
  /// Whether a layer that retries has thrown it, so that the attempts of its call are spent.
  package var attemptsAreSpent = false
  /// Whether it is the fault of another request, which was needed before this one could be sent.
  package var isOfPreparation = false

  /// Creates an error.
  public init(_ code: Code, reason: Reason? = nil, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.reason = reason
    self.message = message
    self.cause = cause
  }

  /// The ``message``.
  public var description: String { message }
}

extension TransportError: CustomReflectable {
  /// Without the cause, whose own dump may show a URL.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["code": code.description, "reason": reason?.description ?? "unknown", "message": message])
  }
}

extension TransportError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}

extension TransportError {
  /// Runs what a request needs before it can be sent, such as a request for a token.
  ///
  /// - Throws: What `body` throws. A ``TransportError`` says that it is not the fault of the request itself, which was not sent.
  package nonisolated(nonsending) static func preparing<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch var error as TransportError {
      error.isOfPreparation = true
      throw error
    }
  }
}

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
