// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore
public import PlatformFoundation

/// A user agent in which the test acts as the user.
///
/// ```swift
/// let userAgent = ScriptedUserAgent { pending in
///   URL(string: "\(pending.redirectURI)?error=access_denied&state=\(pending.state.reveal())")!
/// }
/// ```
public struct ScriptedUserAgent: UserAgent {
  /// `http://127.0.0.1:49152/callback`, at which no server needs to listen.
  public static let loopbackRedirect = URL(literal: "http://127.0.0.1:49152/callback")

  private let redirectURI: URL
  private let respond: @Sendable (PendingAuthorization) async throws -> URL

  /// Creates a user agent.
  ///
  /// - Parameters:
  ///   - redirectURI: The redirect URI of the user agent.
  ///   - respond: Returns the callback URL for a pending authorization. Several tasks can call it concurrently.
  public init(
    redirectURI: URL = Self.loopbackRedirect,
    respond: @concurrent @escaping @Sendable (PendingAuthorization) async throws -> URL
  ) {
    self.redirectURI = redirectURI
    self.respond = respond
  }

  /// Passes the pending authorization to the test, and returns its callback.
  public func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    let pending = try await begin(redirectURI)
    let callback = try await respond(pending)
    try Task.checkCancellation()
    return AuthorizationResponse(pending: pending, callback: callback)
  }
}
