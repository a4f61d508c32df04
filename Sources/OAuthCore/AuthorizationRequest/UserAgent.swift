// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// A type that presents the authorization server's page to a user and returns the callback URL.
///
/// From module OAuthUserAgents, use `LoopbackUserAgent` for a program on a computer and `WebAuthenticationUserAgent` for an app. The
/// page must open in an external browser, whose content the app cannot read
/// ([RFC 8252 § 8.12](https://www.rfc-editor.org/rfc/rfc8252.html#section-8.12)). A test double needs one method:
///
/// ```swift
/// struct ScriptedUserAgent: UserAgent {
///   let callback: @Sendable (PendingAuthorization) async throws -> URL
///   func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
///     let pending = try await begin(redirectURI)
///     return AuthorizationResponse(pending: pending, callback: try await callback(pending))
///   }
/// }
/// ```
public protocol UserAgent: Sendable {
  /// Authorizes one user.
  ///
  /// An implementation determines its redirect URI and calls `begin` with it once. It then shows the user the `authorizationURL`, and
  /// returns the first callback URL that ``PendingAuthorization/matches(_:)``.
  ///
  /// - Parameter begin: Begins the authorization for a redirect URI.
  /// - Returns: The pending authorization and the complete callback URL.
  /// - Throws: `CancellationError`, immediately, when the current task is cancelled. ``OAuthError`` with code
  ///   ``OAuthError/Code/signInTimedOut``, ``OAuthError/Code/accessDenied`` if the user closed the page, or
  ///   ``OAuthError/Code/userAgentUnavailable``. Also any error of `begin`.
  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse
}

/// A function that begins an authorization for a redirect URI.
public typealias SignInStart = @concurrent @Sendable (_ redirectURI: URL) async throws -> PendingAuthorization

/// A pending authorization and its callback URL.
public struct AuthorizationResponse: Sendable {
  /// The pending authorization.
  public let pending: PendingAuthorization
  /// The complete callback URL.
  ///
  /// It contains the authorization code: do not store or log it.
  public let callback: URL

  /// Creates a response.
  public init(pending: PendingAuthorization, callback: URL) {
    self.pending = pending
    self.callback = callback
  }
}

extension AuthorizationResponse: CustomStringConvertible, CustomReflectable {
  /// The pending authorization, without the callback.
  public var description: String { "response to \(pending)" }
  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["pending": pending]) }
}

extension UserAgent {
  /// Returns a user agent that calls `confirm` for each sign-in before it shows a page.
  ///
  /// ```swift
  /// let browser = LoopbackUserAgent.systemBrowser { url, _ in print(url) }.confirming { pending in
  ///   guard await user.allows(pending.issuer, pending.resources, pending.scopes) else { throw CancellationError() }
  /// }
  /// ```
  ///
  /// - Parameter confirm: Called with the pending authorization. Its issuer, resources and scopes may come from a server: sanitize them
  ///   before you print them. If `confirm` throws, the sign-in ends, and no page is shown. A pushed request has been sent to the
  ///   authorization server before the call.
  public func confirming(
    _ confirm: @concurrent @escaping @Sendable (_ pending: PendingAuthorization) async throws -> Void
  ) -> some UserAgent {
    ConfirmingUserAgent(base: self, confirm: confirm)
  }
}

/// A user agent that requires a confirmation before every sign-in page.
private struct ConfirmingUserAgent: UserAgent {
  let base: any UserAgent
  let confirm: @Sendable (PendingAuthorization) async throws -> Void

  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    try await base.authorize { redirectURI in
      let pending = try await begin(redirectURI)
      try await confirm(pending)
      return pending
    }
  }
}
