// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A browser in which a test is the user.
///
/// ```swift
/// let userAgent = ScriptedUserAgent { pending in
///   URL(string: "\(pending.redirectURI)?error=access_denied&state=\(pending.state.reveal())")!
/// }
/// ```
public struct ScriptedUserAgent: UserAgent {
  /// `http://127.0.0.1:49152/callback`, where no server needs to listen.
  public static let loopbackRedirect = URL(literal: "http://127.0.0.1:49152/callback")

  private let redirectURI: URL
  private let respond: @Sendable (PendingAuthorization) async throws -> URL

  /// Creates a user agent.
  ///
  /// - Parameters:
  ///   - redirectURI: The redirect URI it says it has.
  ///   - respond: Returns the callback URL for a pending authorization. It may be called by several tasks.
  public init(
    redirectURI: URL = Self.loopbackRedirect,
    respond: @escaping @Sendable (PendingAuthorization) async throws -> URL
  ) {
    self.redirectURI = redirectURI
    self.respond = respond
  }

  /// Shows the server's page to the user and returns the callback.
  public func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    let pending = try await begin(redirectURI)
    let callback = try await respond(pending)
    try Task.checkCancellation()
    return AuthorizationResponse(pending: pending, callback: callback)
  }
}
