// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why an authorization could not be had or used.
///
/// Branch on ``code``; show ``message``, which says what to do. Neither ever holds a token, a code or an response body. A
/// network fault is not an `OAuthError`: it arrives as the transport's `TransportError`, a storage fault as
/// `TokenStorageError`, and cancellation as `CancellationError`.
public struct OAuthError: Error, Sendable, CustomStringConvertible {
  /// What kind of fault it was.
  ///
  /// More may be added: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The user has to sign in: there is no token, or its refresh token is no longer accepted.
    public static let signInRequired = Code(description: "signInRequired")
    /// The user, or the server on their behalf, said no.
    public static let accessDenied = Code(description: "accessDenied")
    /// The user did not complete the sign-in within the time allowed.
    public static let signInTimedOut = Code(description: "signInTimedOut")
    /// The callback is not one an authorization server would send: wrong URL, repeated or missing parameters.
    public static let invalidCallback = Code(description: "invalidCallback")
    /// The callback's `state` is not that of this authorization: it belongs to another one, or was forged.
    public static let stateMismatch = Code(description: "stateMismatch")
    /// The response comes from another issuer than the one that the sign-in was begun at.
    public static let issuerMismatch = Code(description: "issuerMismatch")
    /// The metadata, the authorization server or the stored token are for another protected resource than the one that was asked.
    public static let resourceMismatch = Code(description: "resourceMismatch")
    /// The server knows no client of this program, and there is no way to make one known without its pages.
    public static let clientRequired = Code(description: "clientRequired")
    /// The stored token was given to another client than this one.
    public static let clientMismatch = Code(description: "clientMismatch")
    /// Another user signed in than the one whose tokens are stored.
    ///
    /// The stored tokens were kept.
    public static let subjectMismatch = Code(description: "subjectMismatch")
    /// The pending authorization was completed before.
    public static let authorizationUsed = Code(description: "authorizationUsed")
    /// The one-time link of a sign-in was requested twice, so that another program may take part in it.
    public static let linkReused = Code(description: "linkReused")
    /// The user's authentication at the server is older or weaker than was required.
    public static let insufficientAuthentication = Code(description: "insufficientAuthentication")
    /// The server refused the request with an OAuth error code, in ``OAuthError/serverCode``.
    public static let requestRejected = Code(description: "requestRejected")
    /// The server is there but failed for the moment; what is stored was kept.
    public static let serverUnavailable = Code(description: "serverUnavailable")
    /// The server's response is not what the specification says.
    public static let invalidResponse = Code(description: "invalidResponse")
    /// An access token would have been sent to an origin that was not named for it.
    public static let originNotAllowed = Code(description: "originNotAllowed")
    /// The access token is of a type that the transport does not present.
    public static let unsupportedTokenType = Code(description: "unsupportedTokenType")
    /// A URL or option that cannot work, found before anything was sent.
    public static let invalidConfiguration = Code(description: "invalidConfiguration")
    /// The server does not offer what was asked, such as revocation.
    public static let unsupported = Code(description: "unsupported")
    /// No browser could be shown to the user.
    public static let userAgentUnavailable = Code(description: "userAgentUnavailable")
  }

  /// The kind of fault.
  public let code: Code
  /// What happened and what to do, in a sentence or two.
  public let message: String
  /// The account that the error concerns, where it is known; ``description`` names it too.
  public let account: String?
  /// The server's `error` code ([RFC 6749 § 5.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.2)), if it sent one.
  public let serverCode: String?
  /// The server's `error_description`, reduced to printable characters, if it sent one.
  ///
  /// It was written for developers.
  public let serverDescription: String?

  /// Creates an error.
  public init(_ code: Code, _ message: String, serverCode: String? = nil, serverDescription: String? = nil) {
    self.code = code
    self.message = message
    account = nil
    self.serverCode = serverCode.map { Self.printable($0, limit: 64) }
    self.serverDescription = serverDescription.map { Self.printable($0, limit: 300) }
  }

  /// Creates an error from what a server sent.
  ///
  /// - Parameter secrets: What was sent to the server or came with its response, and must not be shown if it is repeated.
  init(
    _ code: Code, _ message: String, serverCode: String?, serverDescription: String?, hiding secrets: [String]
  ) {
    let shown = { (text: String) in ServerText.shown(text, hiding: secrets) }
    self.init(
      code, message, serverCode: serverCode.map(shown), serverDescription: serverDescription.map(shown))
  }

  private init(_ error: OAuthError, account: String) {
    code = error.code
    message = error.message
    self.account = account
    serverCode = error.serverCode
    serverDescription = error.serverDescription
  }

  /// Runs `body`, and adds the account, if there is one, to an error that names none.
  static func naming<Result: Sendable>(
    account: String?, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as OAuthError where error.account == nil {
      throw account.map { OAuthError(error, account: $0) } ?? error
    }
  }

  private static func withoutControls(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }))
  }

  /// The ``message``, after the name of the ``account`` where that is known.
  public var description: String {
    account.map { "Account \"\(Self.withoutControls($0))\": \(message)" } ?? message
  }

  package static func printable(_ text: String, limit: Int = .max) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }.prefix(limit)))
  }
}

extension OAuthError: CustomReflectable {
  /// Without the server's description, which may hold anything.
  public var customMirror: Mirror {
    Mirror(self, children: ["code": code.description, "message": description, "serverCode": serverCode ?? ""])
  }
}

extension OAuthError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}

/// The text of a server, made fit to be shown.
package enum ServerText {
  /// Returns the printable ASCII characters of a text, with secrets replaced.
  ///
  /// - Parameters:
  ///   - text: The text of the server.
  ///   - secrets: What was sent to the server or came with its response, and must not be shown if it is repeated.
  ///   - limit: The maximum number of characters. Defaults to no limit.
  package static func shown(_ text: String, hiding secrets: [String], limit: Int = .max) -> String {
    // Cleaned first: a control character within a secret would hide it from the search and then be taken out.
    let forms = secrets.flatMap { [OAuthError.printable($0), FormEncoding.form.encode($0)] }
    // Three characters protect nothing, and stand in error codes by chance.
    let hidden = forms.filter { $0.utf8.count > 3 }.sorted { $0.utf8.count > $1.utf8.count }
    let shown = hidden.reduce(OAuthError.printable(text)) {
      $0.split(separator: $1, omittingEmptySubsequences: false).joined(separator: "<redacted>")
    }
    return String(shown.prefix(limit))
  }
}
