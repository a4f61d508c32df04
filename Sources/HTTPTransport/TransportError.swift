// SPDX-License-Identifier: Apache-2.0

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
