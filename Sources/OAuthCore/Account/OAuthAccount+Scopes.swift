// SPDX-License-Identifier: Apache-2.0

public import OAuthScope
import TokenStore

extension OAuthAccount {
  /// Returns an access token with additional scopes.
  ///
  /// The stored token is returned if its granted scopes cover `scopes`. Otherwise, a new sign-in requests them together with all
  /// previously requested scopes. The login hint of the sign-in names the user whose tokens are stored. The user can deny some of the
  /// scopes: read `scopes` of the token.
  ///
  /// - Parameters:
  ///   - scopes: The scopes to add. Previously denied scopes are requested again.
  ///   - parameters: Further parameters of the request, such as those of a ``TokenChallenge``. If there are any, a new sign-in takes
  ///     place even if the stored token has the scopes. The account verifies an ``AuthorizationParameters/authentication`` among them
  ///     only with the scope `openid` and a verifier. Otherwise, the resource must verify it.
  /// - Throws: The errors of ``signIn(prompt:loginHint:parameters:)``. Also ``OAuthError`` with code
  ///   ``OAuthError/Code/subjectMismatch`` if another user signs in. The stored tokens are kept.
  @discardableResult
  public func authorize(
    adding scopes: [Scope], parameters: AuthorizationParameters = [:]
  ) async throws -> AccessToken {
    // A record of another server or client says nothing about this client's scopes and user.
    let stored = try await storedToken.flatMap { client.isOwner(of: $0) ? $0 : nil }
    if parameters == [:], let stored, areCovered(scopes, by: stored.scopes) { return try await authorize() }
    return try await signIn(
      scopes: allScopes(besides: stored).appending(scopes), parameters: parameters, continuing: stored)
  }

  /// Signs in again as a resource requires: with more scopes, or by a stronger or newer authentication of the user
  /// ([RFC 9470](https://www.rfc-editor.org/rfc/rfc9470.html)).
  ///
  /// If the challenge requires more scopes and names none, the method requests the account's own scopes. It does not
  /// sign in if these are already granted and the challenge has no other requirement. Limit the number of calls for one request: a server
  /// can require more than it grants.
  ///
  /// - Throws: The errors of ``authorize(adding:parameters:)``. The stored tokens are kept.
  @discardableResult
  public func authorize(for challenge: TokenChallenge) async throws -> AccessToken {
    let isOpen = challenge.reason == .insufficientScope && challenge.scopes.isEmpty
    return try await authorize(adding: isOpen ? scopes : challenge.scopes, parameters: challenge.parameters)
  }
}

extension OAuthAccount {
  /// Whether the account has scopes neither requested before nor covered by the granted ones.
  ///
  /// If the record does not contain the requested scopes, the result is `false`: the user may have denied the missing ones.
  func lacksNewScopes(_ token: StoredToken) -> Bool {
    guard let requested = token.requestedScopes.map({ Set($0) }) else { return false }
    return !areCovered(scopes.filter { !requested.contains($0) }, by: token.scopes)
  }

  func areCovered(_ scopes: [Scope], by granted: [Scope]) -> Bool {
    scopeRule.uncovered(scopes, by: granted).isEmpty
  }

  /// Signs in for the account's new scopes.
  ///
  /// If the user denies access, they count as requested.
  ///
  /// - Parameters:
  ///   - token: The record without the scopes, as last read.
  ///   - signIn: Signs in for all scopes, continuing the currently stored record.
  func signInForNewScopes(
    besides token: StoredToken, _ signIn: (_ scopes: [Scope], _ stored: StoredToken) async throws -> AccessToken
  ) async throws -> AccessToken {
    // A concurrent sign-in may have ended, here or in another process.
    let token = try await tokens.reloadedRecord() ?? token
    guard lacksNewScopes(token) else { return AccessToken(token) }
    do {
      return try await signIn(allScopes(besides: token), token)
    } catch let error as OAuthError where error.code == .accessDenied {
      // The page must not reappear at every call. If this record cannot be written, it reappears once more.
      try? await tokens.record.remember(requested: scopes)
      throw error
    }
  }

  /// The account's scopes with those previously requested, or those granted if the record does not contain the requested ones.
  private func allScopes(besides stored: StoredToken?) -> [Scope] {
    scopes.appending(stored?.requestedScopes ?? stored?.scopes ?? [])
  }
}

/// A rule for whether granted scopes cover another scope.
///
/// A server can grant a scope under another name than was requested, and a wide scope can include narrower ones. Only
/// the server's documentation defines such cases. ``exact`` has none of them. Module Almanac has the rule for Google.
///
/// ```swift
/// let rule = ScopeRule { scope, granted in
///   granted.contains(scope) || granted.contains(Scope(scope.rawValue.replacing(".readonly", with: "")))
/// }
/// ```
public struct ScopeRule: Sendable {
  private let covers: @Sendable (_ scope: Scope, _ granted: [Scope]) -> Bool
  private var isExact = false

  /// Creates a rule.
  ///
  /// - Parameter covers: Returns whether a token with the granted scopes has the scope too. Called from any task.
  public init(_ covers: @escaping @Sendable (_ scope: Scope, _ granted: [Scope]) -> Bool) { self.covers = covers }

  /// The rule that a scope is covered only if it was granted under its own name.
  public static let exact = {
    var rule = ScopeRule { scope, granted in granted.contains(scope) }
    rule.isExact = true
    return rule
  }()

  /// Returns whether a token with the scopes `granted` has `scope` too.
  public func isCovered(_ scope: Scope, by granted: [Scope]) -> Bool { covers(scope, granted) }

  /// Returns the scopes missing from a token with the scopes `granted`, in their order.
  package func uncovered(_ scopes: [Scope], by granted: [Scope]) -> [Scope] {
    guard isExact else { return scopes.filter { !covers($0, granted) } }
    let granted = Set(granted)
    return scopes.filter { !granted.contains($0) }
  }
}
