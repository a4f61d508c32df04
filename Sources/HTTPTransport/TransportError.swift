// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// The error of an exchange without a complete response.
///
/// Branch on ``code``, and on ``reason`` where the difference matters. Show ``message``. None of them contains a body,
/// a field value or a query.
public struct TransportError: Error, Sendable, CustomStringConvertible {
  /// The kind of fault.
  ///
  /// Future releases may add codes: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The request cannot be sent: its URL, its method or a field is malformed.
    ///
    /// Sending it again does not help.
    public static let invalidRequest = Code(description: "invalidRequest")
    /// No connection could be made: the host was not found, the host refused it, or there is no network.
    ///
    /// The request did not reach a server, so any request can be sent again.
    public static let unreachable = Code(description: "unreachable")
    /// The connection was lost after the request may have been received, before a response arrived.
    public static let connectionLost = Code(description: "connectionLost")
    /// The exchange took longer than its limit.
    public static let timedOut = Code(description: "timedOut")
    /// The ``HTTPRequest/sendingDeadline`` had passed before the request could be sent.
    ///
    /// It was not sent. Its preconditions may no longer hold: begin again.
    public static let sendingDeadlinePassed = Code(description: "sendingDeadlinePassed")
    /// The TLS connection could not be trusted or set up.
    public static let tls = Code(description: "tls")
    /// The response ended before its announced end.
    public static let truncated = Code(description: "truncated")
    /// The response exceeded one of the ``TransportLimits``.
    public static let tooLarge = Code(description: "tooLarge")
    /// A redirect was refused: from https to http, too many, or with a body that cannot be sent again.
    public static let redirectRefused = Code(description: "redirectRefused")
    /// The response is not valid HTTP, or its content encoding is broken.
    public static let protocolViolation = Code(description: "protocolViolation")
  }

  /// The kind of fault.
  public let code: Code
  /// The detailed reason, or `nil` if unknown.
  public let reason: Reason?
  /// A message that states the failure and its remedy.
  public let message: String
  /// The underlying error, for a debugger, never part of a description.
  public let cause: (any Error)?
  /// The failed part of a call, which decides whether a layer above may retry.
  ///
  /// The error carries it, because callers that share a token request receive its error in tasks of their own.
  package var part = Part.attempt

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
  /// A mirror without the cause, whose own dump can contain a URL.
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
  /// The failed part of a call.
  package enum Part: Sendable {
    /// One attempt to send the request.
    case attempt
    /// The call: a retrying layer has made all its attempts.
    case call
    /// A separate, preceding call, such as a token request.
    ///
    /// `isSpent` if a retrying layer has made all its attempts.
    case preparation(isSpent: Bool)
  }

  /// Whether a retrying layer has made all attempts of the failed call.
  package var isSpent: Bool {
    switch part {
    case .attempt: false
    case .call: true
    case .preparation(let isSpent): isSpent
    }
  }

  /// Whether the request was not sent, because a preceding call failed.
  package var isOfPreparation: Bool { if case .preparation = part { true } else { false } }

  /// Runs the preparation of a request, such as a token request, as a separate call.
  ///
  /// - Throws: Any error of `body`. A ``TransportError`` is marked as an error of the preparation: the request itself was not
  ///   sent.
  package static func preparing<Value>(
    _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      guard CallContext.current != nil else { return try await body() }
      return try await CallContext.$current.withValue(nil, operation: body)
    } catch var error as TransportError {
      error.part = .preparation(isSpent: error.isSpent)
      throw error
    }
  }
}

extension TransportError {
  /// The detailed reason for a ``Code-swift.struct``.
  ///
  /// Future releases may add reasons: keep a `default` in a `switch`.
  public struct Reason: Sendable, Hashable, CustomStringConvertible {
    /// The reason's name.
    public let description: String
  }
}

extension TransportError.Reason {
  private init(_ description: String) { self.description = description }

  // MARK: unreachable

  /// The host name has no IP address.
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
  /// The client and the server could not agree on a TLS connection, or the server does not support TLS 1.2 or newer.
  public static let handshake = Self("handshake")
  /// The client certificate, its key or the file of trusted authorities cannot be used.
  public static let invalidConfiguration = Self("invalidConfiguration")

  // MARK: timedOut

  /// There was no connection yet, or all connections within the limits were in use.
  public static let connecting = Self("connecting")
  /// The request was sent, at least in part, and the head of the response had not arrived.
  public static let waiting = Self("waiting")
  /// The body of the response was arriving.
  public static let receiving = Self("receiving")

  // MARK: tooLarge

  /// The head exceeds ``TransportLimits/headerBytes`` or ``TransportLimits/headerFields``.
  public static let head = Self("head")
  /// The body exceeds ``TransportLimits/bodyBytes`` or the caller's limit.
  public static let body = Self("body")
  /// The body as transferred exceeds ``TransportLimits/encodedBodyBytes``.
  public static let encodedBody = Self("encodedBody")
  /// The body expands too much to be delivered in pieces of bounded size.
  public static let expansion = Self("expansion")

  // MARK: protocolViolation

  /// The head of the response is malformed.
  public static let malformedHead = Self("malformedHead")
  /// The framing of the body is malformed: chunks in HTTP/1.1, frames in HTTP/2.
  public static let malformedFraming = Self("malformedFraming")
  /// The content encoding is damaged or unknown.
  public static let malformedEncoding = Self("malformedEncoding")
}
