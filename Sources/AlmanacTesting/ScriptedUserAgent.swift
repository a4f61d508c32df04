// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A browser in which a test is the person.
///
/// ```swift
/// let userAgent = ScriptedUserAgent { pending in
///   URL(string: "\(pending.redirectURI)?error=access_denied&state=\(pending.state.reveal())")!
/// }
/// ```
public struct ScriptedUserAgent: UserAgent {
  /// `http://127.0.0.1:49152/callback`, where nobody needs to listen.
  public static let loopbackRedirect = URL(literal: "http://127.0.0.1:49152/callback")

  private let redirectURI: URL
  private let answer: @Sendable (PendingAuthorization) async throws -> URL

  /// Creates a user agent.
  ///
  /// - Parameters:
  ///   - redirectURI: The redirect address it says it has.
  ///   - answer: Returns the callback address for a pending authorization. It may be called by several tasks.
  public init(
    redirectURI: URL = Self.loopbackRedirect,
    answer: @escaping @Sendable (PendingAuthorization) async throws -> URL
  ) {
    self.redirectURI = redirectURI
    self.answer = answer
  }

  /// Shows the server's page to the user and returns the callback.
  public func authorize(_ begin: AuthorizationStart) async throws -> AuthorizationAnswer {
    let pending = try await begin(redirectURI)
    let callback = try await answer(pending)
    try Task.checkCancellation()
    return AuthorizationAnswer(pending: pending, callback: callback)
  }
}
