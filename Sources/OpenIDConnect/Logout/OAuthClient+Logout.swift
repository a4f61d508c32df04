// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore
public import PlatformFoundation
import Support
public import TokenStore

extension OAuthClient {
  /// Begins a logout at the server
  /// ([OpenID Connect RP-Initiated Logout](https://openid.net/specs/openid-connect-rpinitiated-1_0.html)).
  ///
  /// End your own session first. The method sends nothing and leaves the tokens unchanged. Show the ``PendingLogout/logoutURL`` to the
  /// user.
  ///
  /// - Parameters:
  ///   - idToken: The ID token of the session to end, even if it has expired. Without it, the server asks the user. It is part of the
  ///     URL, which browsers, servers and proxies store in histories and logs.
  ///   - redirectURI: The registered redirect URI for logouts, or `nil` if the user does not return.
  ///   - logoutHint: A hint about the user or session, such as ``IDTokenClaims/sessionID``.
  ///   - uiLocales: The languages of the server's pages as BCP 47 tags, the preferred one first.
  /// - Returns: The value to keep until the callback arrives.
  /// - Throws: `OAuthError` with code `unsupported` if the server has no logout endpoint, or with code `invalidConfiguration`.
  public func beginLogout(
    idToken: Secret? = nil, redirectURI: URL? = nil, logoutHint: String? = nil, uiLocales: [String] = []
  ) throws -> PendingLogout {
    guard let endpoint = server.endSessionEndpoint else {
      throw OAuthError(
        .unsupported, "\(server.name) has no logout endpoint. Remove the tokens and end your own session.")
    }
    if let redirectURI { try RedirectResponse.checkRedirectURI(redirectURI) }
    let state = redirectURI.map { _ in randomToken() }
    var query: FormFields = ["client_id": registration.clientID]
    query["logout_hint"] = logoutHint
    query["post_logout_redirect_uri"] = redirectURI?.absoluteString
    query["state"] = state
    query["ui_locales"] = uiLocales.isEmpty ? nil : uiLocales.joined(separator: " ")
    let plainURL = endpoint.appending(query, as: .form)
    query["id_token_hint"] = idToken?.reveal()
    guard let url = endpoint.appending(query, as: .form), let plainURL else {
      throw OAuthError(
        .invalidConfiguration,
        "The end-session endpoint of \(server.name) has a fragment, so no query can be added. Correct its URL.")
    }
    try checkPageURL(size: url.absoluteString.utf8.count, remedy: "Omit the ID token.")
    return PendingLogout(
      logoutURL: url, urlWithoutIDToken: plainURL, redirectURI: redirectURI, state: state.map { Secret($0) },
      issuer: server.issuer)
  }

  /// Checks the callback of a logout.
  ///
  /// A valid callback means that the server has redirected the user back. It does not prove that the user has signed
  /// out.
  ///
  /// - Parameters:
  ///   - pending: The value returned by ``beginLogout(idToken:redirectURI:logoutHint:uiLocales:)``.
  ///   - callback: The complete callback URL.
  /// - Throws: `OAuthError` with code `invalidCallback`, `stateMismatch` or `issuerMismatch`.
  public func completeLogout(_ pending: PendingLogout, callback: URL) throws {
    guard let redirectURI = pending.redirectURI, let state = pending.state else {
      throw OAuthError(
        .invalidCallback, "The logout has no redirect URI, so it has no callback. Begin it with a redirect URI.")
    }
    _ = try RedirectResponse(callback, to: redirectURI, state: state, purpose: "logout")
    guard ConstantTime.equal(pending.issuer, server.issuer) else {
      throw OAuthError(
        .issuerMismatch,
        "The logout began at a different server than this client's, \(server.name). Complete it with the client that began it."
      )
    }
  }
}

extension OAuthAccount {
  /// Signs the account out, and begins a logout at the server
  /// ([OpenID Connect RP-Initiated Logout](https://openid.net/specs/openid-connect-rpinitiated-1_0.html)).
  ///
  /// The stored tokens are revoked, if the server supports it, and removed. Show the ``PendingLogout/logoutURL`` to the
  /// user, and pass the callback, if there is one, to `client.completeLogout(_:callback:)`.
  ///
  /// - Parameters:
  ///   - redirectURI: The registered redirect URI for logouts, or `nil` if the user does not return.
  ///   - logoutHint: A hint about the user or session, such as ``IDTokenClaims/sessionID``.
  ///   - sendingIDToken: Whether the URL contains the stored ID token, so the server does not ask the user. Browsers, servers and proxies
  ///     store the URL in histories and logs. The ID token identifies the user, and some services accept it until it expires. Defaults to
  ///     `false`.
  ///   - revoking: Whether the tokens are revoked before they are removed. Defaults to `true`.
  /// - Throws: `OAuthError` with code `unsupported` if the server has no logout endpoint, or with code
  ///   `invalidConfiguration`. Also the errors of `revoke()`: `OAuthError`, `TransportError`, `TokenStorageError` and
  ///   `CancellationError`. The stored tokens are then kept: repeat the call, without revoking if necessary.
  public func beginLogout(
    redirectURI: URL? = nil, logoutHint: String? = nil, sendingIDToken: Bool = false, revoking: Bool = true
  ) async throws -> PendingLogout {
    let idToken = sendingIDToken ? try await storedToken?.idToken : nil
    let pending = try client.beginLogout(idToken: idToken, redirectURI: redirectURI, logoutHint: logoutHint)
    if revoking, client.server.revocationEndpoint != nil {
      try await revoke()
    } else {
      try await signOut()
    }
    return pending
  }
}
