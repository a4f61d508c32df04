// SPDX-License-Identifier: Apache-2.0

import TokenStore

extension OAuthAccount {
  /// Returns an access token that has `scopes` too: the stored one if it has them, else one from a new sign-in that asks for them
  /// and for all that was granted before.
  ///
  /// What was granted before stays: the new sign-in requests the account's scopes, those that are granted and the new ones. The user
  /// may refuse some of them; read `scopes` of the token.
  ///
  /// - Parameters:
  ///   - scopes: The scopes to add.
  ///   - parameters: Further parameters of the request, such as those of an ``AuthorizationDemand``. With any, a new sign-in takes
  ///     place also if the stored token has the scopes. An ``AuthorizationParameters/authentication`` among them is verified by the
  ///     account only with the scope `openid` and a verifier; otherwise the resource has to verify it.
  /// - Throws: As ``signIn(prompt:loginHint:)``. What was stored is kept.
  @discardableResult
  public func authorize(
    adding scopes: [String], parameters: AuthorizationParameters = [:]
  ) async throws -> AccessToken {
    let stored = try await storedToken
    let granted = stored?.scopes ?? []
    if parameters == [:], stored != nil, Set(scopes).isSubset(of: granted) { return try await authorize() }
    var asked = self.scopes
    for scope in granted + scopes where !asked.contains(scope) { asked.append(scope) }
    return try await signIn(scopes: asked, parameters: parameters)
  }

  /// Signs in again as a resource demands: with more scopes, or by a stronger or newer authentication of the user
  /// ([RFC 9470](https://www.rfc-editor.org/rfc/rfc9470.html)).
  ///
  /// A demand for more scopes that names none is for those of the account that are not granted yet. Call it a bounded number of times for one request: a server may demand more than it grants.
  ///
  /// - Throws: As ``signIn(prompt:loginHint:)``. What was stored is kept.
  @discardableResult
  public func authorize(meeting demand: AuthorizationDemand) async throws -> AccessToken {
    let isOpen = demand.reason == .insufficientScope && demand.scopes.isEmpty
    return try await authorize(adding: isOpen ? scopes : demand.scopes, parameters: demand.parameters)
  }
}
