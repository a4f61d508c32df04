// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore
public import OAuthScope
import OpenIDConnect
public import TokenStore

extension Sandbox {
  /// Returns an account at the sandbox in this process, whose user allows every request.
  ///
  /// ```swift
  /// let google = GoogleAccount(oauthAccount: try sandbox.account(scopes: [.calendarReadOnly]), apiURL: Sandbox.inProcessURL)
  /// ```
  ///
  /// It verifies ID tokens and retries token requests, with the sandbox's clock.
  ///
  /// - Parameters:
  ///   - scopes: The scopes to request.
  ///   - registration: The client, ``Client/native`` by default.
  ///   - storage: The token storage. Defaults to a new one in memory.
  ///   - scopeRule: The rule for whether granted scopes cover another scope.
  /// - Throws: `OAuthError` with code `invalidConfiguration`.
  public func account(
    scopes: [Scope], registration: ClientRegistration = ClientRegistration(clientID: Client.native.id),
    storage: some TokenStorage = InMemoryTokenStorage(), scopeRule: ScopeRule = .exact
  ) throws -> OAuthAccount {
    let http: any Transport = transport().retrying(clock: clock)
    let client = try OAuthClient(provider: provider(), registration: registration, transport: http, clock: clock)
    return OAuthAccount(
      client: client, storage: storage, account: "sandbox", scopes: scopes, userAgent: approvingUser,
      verifier: IDTokenVerifier(client: client, transport: http, clock: clock), scopeRule: scopeRule)
  }
}
