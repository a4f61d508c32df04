// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Shows a person the authorization server's page and brings back where they were sent: the seam between the flow and the
/// browser.
///
/// Take `LoopbackUserAgent` from module OAuthUserAgents for a program on a computer, `WebAuthenticationUserAgent` for an app. It
/// must be a browser that the application cannot look into
/// ([RFC 8252 § 8.12](https://www.rfc-editor.org/rfc/rfc8252.html#section-8.12)). A double for a test needs one method:
///
/// ```swift
/// struct ScriptedUserAgent: UserAgent {
///   let answer: @Sendable (PendingAuthorization) async throws -> URL
///   func authorize(_ begin: AuthorizationStart) async throws -> AuthorizationAnswer {
///     let pending = try await begin(redirectURI)
///     return AuthorizationAnswer(pending: pending, callback: try await answer(pending))
///   }
/// }
/// ```
public protocol UserAgent: Sendable {
  /// Makes an authorization for one person.
  ///
  /// An implementation knows its redirect address first, then calls `begin` with it once, shows the person the
  /// `authorizationURL`, and returns the first address they are sent to that
  /// ``PendingAuthorization/isAnswered(by:)``.
  ///
  /// - Parameter begin: Makes the pending authorization for a redirect address.
  /// - Returns: The pending authorization and the whole callback address.
  /// - Throws: `CancellationError`, promptly, when the current task is cancelled; ``OAuthError`` with code
  ///   ``OAuthError/Code/signInTimedOut``, ``OAuthError/Code/accessDenied`` if the person closed the page, or
  ///   ``OAuthError/Code/userAgentUnavailable``; whatever `begin` throws.
  func authorize(_ begin: AuthorizationStart) async throws -> AuthorizationAnswer
}

/// Makes a pending authorization for a redirect address.
public typealias AuthorizationStart = @Sendable (_ redirectURI: URL) async throws -> PendingAuthorization

/// A pending authorization and the address the person was sent back to.
public struct AuthorizationAnswer: Sendable {
  /// The authorization that was shown.
  public let pending: PendingAuthorization
  /// The whole callback address.
  ///
  /// It holds the code: hand it on and keep it nowhere.
  public let callback: URL

  /// Creates an answer.
  public init(pending: PendingAuthorization, callback: URL) {
    self.pending = pending
    self.callback = callback
  }
}

extension AuthorizationAnswer: CustomStringConvertible, CustomReflectable {
  /// The pending authorization, without the callback.
  public var description: String { "answer to \(pending)" }
  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["pending": pending]) }
}
