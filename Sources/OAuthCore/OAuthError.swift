// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation
import Support

/// An authorization error.
///
/// Branch on ``code``. Show ``message``, which contains the remedy. Neither ever contains a token, an authorization code or a response
/// body.
///
/// Other errors have their own types: `TransportError` for a network failure, `TokenStorageError` for a storage failure, and
/// `CancellationError` for cancellation.
public struct OAuthError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// Future releases may add codes: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The user must sign in: there is no token, or the server no longer accepts the refresh token.
    public static let signInRequired = Code(description: "signInRequired")
    /// The user or the server denied access.
    public static let accessDenied = Code(description: "accessDenied")
    /// The user did not complete the sign-in within the time allowed.
    public static let signInTimedOut = Code(description: "signInTimedOut")
    /// The callback is not a valid authorization response: its URL is wrong, or parameters are repeated or missing.
    public static let invalidCallback = Code(description: "invalidCallback")
    /// The callback's `state` belongs to another authorization or was forged.
    public static let stateMismatch = Code(description: "stateMismatch")
    /// The response comes from another issuer than the sign-in's.
    public static let issuerMismatch = Code(description: "issuerMismatch")
    /// The metadata, the authorization server or the stored token belongs to another protected resource.
    public static let resourceMismatch = Code(description: "resourceMismatch")
    /// The client is not registered at the server and cannot register itself.
    public static let clientRequired = Code(description: "clientRequired")
    /// The stored token was issued to another client.
    public static let clientMismatch = Code(description: "clientMismatch")
    /// A user signed in who is not the one whose tokens are stored.
    ///
    /// The stored tokens were kept.
    public static let subjectMismatch = Code(description: "subjectMismatch")
    /// The pending authorization was already completed.
    public static let authorizationUsed = Code(description: "authorizationUsed")
    /// The one-time link of a sign-in was requested twice, possibly by another program.
    public static let linkReused = Code(description: "linkReused")
    /// The user's authentication at the server is older or weaker than required.
    public static let insufficientAuthentication = Code(description: "insufficientAuthentication")
    /// The server rejected the request with an OAuth error code, which is in ``OAuthError/serverCode``.
    public static let requestRejected = Code(description: "requestRejected")
    /// The server is temporarily unavailable.
    ///
    /// The stored tokens were kept.
    public static let serverUnavailable = Code(description: "serverUnavailable")
    /// The server's response does not follow the specification.
    public static let invalidResponse = Code(description: "invalidResponse")
    /// The request's origin is not among those allowed for the access token, which was not sent.
    public static let originNotAllowed = Code(description: "originNotAllowed")
    /// The transport does not support the type of the access token.
    public static let unsupportedTokenType = Code(description: "unsupportedTokenType")
    /// A URL or option is invalid.
    ///
    /// The request was not sent.
    public static let invalidConfiguration = Code(description: "invalidConfiguration")
    /// The server does not support the operation, such as revocation.
    public static let unsupported = Code(description: "unsupported")
    /// No browser could be opened for the user.
    public static let userAgentUnavailable = Code(description: "userAgentUnavailable")
  }

  /// The kind of error.
  public let code: Code
  /// A message that states the failure and its remedy.
  public let message: String
  /// The name of the affected account, if known.
  ///
  /// ``description`` contains it too.
  public private(set) var account: String?
  /// The server's `error` code ([RFC 6749 § 5.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.2)), if it sent one.
  public let serverCode: String?
  /// The server's `error_description`, reduced to printable characters, if it sent one.
  ///
  /// It is meant for developers.
  public let serverDescription: String?
  /// Whether a response had an error status and no OAuth error, such as a proxy's.
  private(set) var isUnexplained = false

  /// Creates an error.
  public init(_ code: Code, _ message: String, serverCode: String? = nil, serverDescription: String? = nil) {
    self.code = code
    self.message = message
    self.serverCode = serverCode.map { Self.printable($0, limit: 64) }
    self.serverDescription = serverDescription.map { Self.printable($0, limit: 300) }
  }

  /// Creates an error from a server's error response.
  ///
  /// - Parameter secrets: Secrets of the request and the response, which are redacted in the server's texts. A code
  ///   defined by a specification is never redacted.
  init(
    _ code: Code, _ message: String, serverCode: String?, serverDescription: String?, hiding secrets: [String]
  ) {
    let shown = { (text: String) in ServerText.shown(text, hiding: secrets) }
    self.init(
      code, message, serverCode: serverCode.map { Self.isKnown($0) ? $0 : shown($0) },
      serverDescription: serverDescription.map(shown))
  }

  /// Creates the error of a response with an error status and no OAuth error.
  init(unexplained status: Int, from server: String) {
    self.init(.invalidResponse, "\(server) responded with status \(status) and without an OAuth error.")
    isUnexplained = true
  }

  /// Runs `body`, and adds the account's name to an error without one.
  static func naming<Result: Sendable>(
    account: String?, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch var error as OAuthError where error.account == nil {
      error.account = account
      throw error
    }
  }

  private static func withoutControls(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }))
  }

  /// The ``message``, preceded by the name of the ``account`` if known.
  public var description: String {
    account.map { "Account \"\(Self.withoutControls($0))\": \(message)" } ?? message
  }

  package static func printable(_ text: String, limit: Int = .max) -> String {
    ServerText.printable(text, limit: limit)
  }
}

extension OAuthError: CustomReflectable {
  /// A mirror without the server's description, whose content is unknown.
  public var customMirror: Mirror {
    Mirror(self, children: ["code": code.description, "message": description, "serverCode": serverCode ?? ""])
  }
}

extension OAuthError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
