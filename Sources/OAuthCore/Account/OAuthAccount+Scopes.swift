// SPDX-License-Identifier: Apache-2.0

import TokenStore

extension OAuthAccount {
  /// Returns an access token that has `scopes` too: the stored one if those granted cover them, else one from a new sign-in that
  /// requests them and all that was requested before.
  ///
  /// The sign-in is for the user whose tokens are stored: its login hint names them. The user may refuse some of the scopes; read
  /// `scopes` of the token.
  ///
  /// - Parameters:
  ///   - scopes: The scopes to add. Those that the user refused before are requested again.
  ///   - parameters: Further parameters of the request, such as those of an ``TokenChallenge``. With any, a new sign-in takes
  ///     place also if the stored token has the scopes. An ``AuthorizationParameters/authentication`` among them is verified by the
  ///     account only with the scope `openid` and a verifier; otherwise the resource has to verify it.
  /// - Throws: As ``signIn(prompt:loginHint:)``, and ``OAuthError`` with code ``OAuthError/Code/subjectMismatch`` if another user
  ///   signs in. What was stored is kept.
  @discardableResult
  public func authorize(
    adding scopes: [String], parameters: AuthorizationParameters = [:]
  ) async throws -> AccessToken {
    // The scopes and the user of another server or client are no matter of this one's.
    let stored = try await storedToken.flatMap { client.isOwner(of: $0) ? $0 : nil }
    if parameters == [:], let stored, areCovered(scopes, by: stored.scopes) { return try await authorize() }
    return try await signIn(
      scopes: allScopes(besides: stored).appending(scopes), parameters: parameters, continuing: stored)
  }

  /// Signs in again as a resource demands: with more scopes, or by a stronger or newer authentication of the user
  /// ([RFC 9470](https://www.rfc-editor.org/rfc/rfc9470.html)).
  ///
  /// A demand for more scopes that names none is for those of the account that are not granted yet. Call it a bounded number of times for one request: a server may demand more than it grants.
  ///
  /// - Throws: As ``authorize(adding:parameters:)``. What was stored is kept.
  @discardableResult
  public func authorize(for challenge: TokenChallenge) async throws -> AccessToken {
    let isOpen = challenge.reason == .insufficientScope && challenge.scopes.isEmpty
    return try await authorize(adding: isOpen ? scopes : challenge.scopes, parameters: challenge.parameters)
  }
}

extension OAuthAccount {
  /// Whether the account has scopes that were neither requested before nor are covered by those granted.
  ///
  /// A record that does not say what was requested lacks none: the user may have refused them.
  func lacksNewScopes(_ token: StoredToken) -> Bool {
    guard let requested = token.requestedScopes else { return false }
    return !areCovered(scopes.filter { !requested.contains($0) }, by: token.scopes)
  }

  func areCovered(_ scopes: [String], by granted: [String]) -> Bool {
    scopes.allSatisfy { scopeRule.isCovered($0, by: granted) }
  }

  /// Signs in for scopes of the account that were not requested before; if the user refuses, they count as requested.
  ///
  /// - Parameters:
  ///   - token: The record that lacks the scopes, as it was read last.
  ///   - signIn: Signs in for all scopes, continuing the record that is stored now.
  nonisolated(nonsending) func signInForNewScopes(
    besides token: StoredToken, _ signIn: (_ scopes: [String], _ stored: StoredToken) async throws -> AccessToken
  ) async throws -> AccessToken {
    // A sign-in may have ended meanwhile, here or in another process.
    let token = try await tokens.reloadedRecord() ?? token
    guard lacksNewScopes(token) else { return AccessToken(token) }
    do {
      return try await signIn(allScopes(besides: token), token)
    } catch let error as OAuthError where error.code == .accessDenied {
      // The page must not come back at every call. If this is not remembered, it comes back once more.
      try? await tokens.record.remember(requested: scopes)
      throw error
    }
  }

  /// The account's scopes with those that were requested before, or were granted if that is all that is known.
  private func allScopes(besides stored: StoredToken?) -> [String] {
    scopes.appending(stored?.requestedScopes ?? stored?.scopes ?? [])
  }
}

/// The rule by which granted scopes cover another one: the seam for what only a server's documentation says.
///
/// Servers grant scopes under other names than were requested, and a wide scope includes narrow ones. ``exact`` knows neither.
/// Module Almanac has the rule for Google.
///
/// ```swift
/// let rule = ScopeRule { scope, granted in
///   granted.contains(scope) || granted.contains(scope.replacing(".readonly", with: ""))
/// }
/// ```
public struct ScopeRule: Sendable {
  private let covers: @Sendable (_ scope: String, _ granted: [String]) -> Bool

  /// Creates a rule.
  ///
  /// - Parameter covers: Returns whether a token with the granted scopes has the scope too. It is called from any task.
  public init(_ covers: @escaping @Sendable (_ scope: String, _ granted: [String]) -> Bool) { self.covers = covers }

  /// A scope is covered if it was granted under its own name.
  public static let exact = ScopeRule { scope, granted in granted.contains(scope) }

  /// Returns whether a token with the scopes `granted` has `scope` too.
  public func isCovered(_ scope: String, by granted: [String]) -> Bool { covers(scope, granted) }
}

extension Array<String> {
  /// The scopes with those of `others` that are not among them, in their order.
  func appending(_ others: [String]) -> [String] {
    others.reduce(into: self) { if !$0.contains($1) { $0.append($1) } }
  }
}
