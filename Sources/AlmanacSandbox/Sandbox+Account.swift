// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
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
  /// It verifies ID tokens and retries requests, with the sandbox's clock.
  ///
  /// - Parameters:
  ///   - scopes: The scopes to request.
  ///   - registration: The client, ``Client/native`` by default.
  ///   - storage: The token storage. Defaults to a new one in memory.
  ///   - transport: A transport that decorates ``transport(at:)``, for example to record or reject requests. Defaults to
  ///     ``transport(at:)`` itself.
  ///   - scopeRule: The rule for whether granted scopes cover another scope.
  /// - Throws: `OAuthError` with code `invalidConfiguration`.
  public func account(
    scopes: [Scope], registration: ClientRegistration = ClientRegistration(clientID: Client.native.id),
    storage: some TokenStorage = InMemoryTokenStorage(), transport: (any Transport)? = nil,
    scopeRule: ScopeRule = .exact
  ) throws -> OAuthAccount {
    try account(
      scopes: scopes, registration: registration, storage: storage, transport: transport, userAgent: approvingUser,
      scopeRule: scopeRule)
  }

  /// Returns an account at the sandbox in this process, with a user agent of the test.
  ///
  /// - Parameters:
  ///   - scopes: The scopes to request.
  ///   - registration: The client, ``Client/native`` by default.
  ///   - storage: The token storage. Defaults to a new one in memory.
  ///   - transport: A transport that decorates ``transport(at:)``. Defaults to ``transport(at:)`` itself.
  ///   - userAgent: The user agent, such as ``denyingUser``, or `nil` for a program without one, such as a server.
  ///   - scopeRule: The rule for whether granted scopes cover another scope.
  /// - Throws: `OAuthError` with code `invalidConfiguration`.
  public func account(
    scopes: [Scope], registration: ClientRegistration = ClientRegistration(clientID: Client.native.id),
    storage: some TokenStorage = InMemoryTokenStorage(), transport: (any Transport)? = nil,
    userAgent: (any UserAgent)?, scopeRule: ScopeRule = .exact
  ) throws -> OAuthAccount {
    let base: any Transport = transport ?? self.transport()
    let http: any Transport = base.retrying(clock: clock)
    let client = try OAuthClient(provider: provider(), registration: registration, transport: http, clock: clock)
    return OAuthAccount(
      client: client, storage: storage, account: "sandbox", scopes: scopes, userAgent: userAgent,
      verifier: IDTokenVerifier(client: client, transport: http, clock: clock), scopeRule: scopeRule)
  }
}
