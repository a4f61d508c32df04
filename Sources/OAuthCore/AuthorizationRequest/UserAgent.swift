// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Shows a user the authorization server's page and brings back where they were sent: the seam between the flow and the
/// browser.
///
/// Take `LoopbackUserAgent` from module OAuthUserAgents for a program on a computer, `WebAuthenticationUserAgent` for an app. It
/// must be a browser that the application cannot look into
/// ([RFC 8252 § 8.12](https://www.rfc-editor.org/rfc/rfc8252.html#section-8.12)). A double for a test needs one method:
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
  /// Makes an authorization for one user.
  ///
  /// An implementation knows its redirect URI first, then calls `begin` with it once, shows the user the
  /// `authorizationURL`, and returns the first URL they are sent to that
  /// ``PendingAuthorization/matches(_:)``.
  ///
  /// - Parameter begin: Makes the pending authorization for a redirect URI.
  /// - Returns: The pending authorization and the whole callback URL.
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled; ``OAuthError`` with code
  ///   ``OAuthError/Code/signInTimedOut``, ``OAuthError/Code/accessDenied`` if the user closed the page, or
  ///   ``OAuthError/Code/userAgentUnavailable``; any error that `begin` throws.
  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse
}

/// Makes a pending authorization for a redirect URI.
public typealias SignInStart = @Sendable (_ redirectURI: URL) async throws -> PendingAuthorization

/// A pending authorization and the URL the user was sent back to.
public struct AuthorizationResponse: Sendable {
  /// The authorization that was shown.
  public let pending: PendingAuthorization
  /// The whole callback URL.
  ///
  /// It holds the code: hand it on and keep it nowhere.
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
  /// What a dump shows, without any secret.
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
  /// - Parameter confirm: Called with the authorization to be made: its issuer, resources and scopes. They may come from a
  ///   server, so clean them before you print them. An error ends the sign-in, and no page is shown. With a pushed request, the
  ///   authorization server has received the request by then.
  public func confirming(
    _ confirm: @escaping @Sendable (_ pending: PendingAuthorization) async throws -> Void
  ) -> some UserAgent {
    ConfirmingUserAgent(base: self, confirm: confirm)
  }
}

/// A user agent that has every authorization confirmed before it is shown.
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
