// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore
import Support
public import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension OAuthClient {
  /// Begins to sign the user out at the server
  /// ([OpenID Connect RP-Initiated Logout](https://openid.net/specs/openid-connect-rpinitiated-1_0.html)).
  ///
  /// Nothing is sent: show the user the ``PendingLogout/logoutURL``. The tokens are not touched; end your own session first.
  ///
  /// - Parameters:
  ///   - idToken: The ID token of the session that ends, which may have expired; without it the server asks the user. It becomes
  ///     part of the URL, which the histories and logs of browsers, servers and proxies keep.
  ///   - redirectURI: Where the server sends the user back to, as it is registered for logouts; `nil` if the user stays there.
  ///   - logoutHint: Who signs out, as the server knows the user, such as ``IDTokenClaims/sessionID``.
  ///   - uiLocales: The languages of the server's pages as BCP 47 tags, the preferred one first.
  /// - Returns: The value to keep until the callback arrives.
  /// - Throws: `OAuthError` with code `unsupported` if the server has no such endpoint, or `invalidConfiguration`.
  public func beginLogout(
    idToken: Secret? = nil, redirectURI: URL? = nil, logoutHint: String? = nil, uiLocales: [String] = []
  ) throws -> PendingLogout {
    guard let endpoint = server.endSessionEndpoint else {
      throw OAuthError(
        .unsupported, "\(server.name) has no endpoint to sign out at. Remove the tokens and end your own session.")
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
        .invalidConfiguration, "The end-session endpoint of \(server.name) has a fragment and cannot take a query.")
    }
    return PendingLogout(
      logoutURL: url, urlWithoutIDToken: plainURL, redirectURI: redirectURI, state: state.map { Secret($0) },
      issuer: server.issuer)
  }

  /// Checks that the user has returned from signing out.
  ///
  /// It tells that the server has sent the user back; no response says whether the user has in fact signed out.
  ///
  /// - Parameters:
  ///   - pending: The value that ``beginLogout(idToken:redirectURI:logoutHint:uiLocales:)`` returned.
  ///   - callback: The whole URL that the user was sent back to.
  /// - Throws: `OAuthError` with code `invalidCallback`, `stateMismatch` or `issuerMismatch`.
  public func completeLogout(_ pending: PendingLogout, callback: URL) throws {
    guard let redirectURI = pending.redirectURI, let state = pending.state else {
      throw OAuthError(.invalidCallback, "The logout was begun without a redirect URI, so there can be no callback.")
    }
    _ = try RedirectResponse(callback, to: redirectURI, state: state, purpose: "logout")
    guard ConstantTime.equal(pending.issuer, server.issuer) else {
      throw OAuthError(
        .issuerMismatch, "The logout was begun at another server than this client's, \(server.name).")
    }
  }
}

extension OAuthAccount {
  /// Signs the account out here, and begins to sign the user out at the server
  /// ([OpenID Connect RP-Initiated Logout](https://openid.net/specs/openid-connect-rpinitiated-1_0.html)).
  ///
  /// The stored tokens are revoked, if the server can do that, and removed. Show the user the ``PendingLogout/logoutURL``; the
  /// callback, if there is one, goes to `client.completeLogout(_:callback:)`.
  ///
  /// - Parameters:
  ///   - redirectURI: Where the server sends the user back to, as it is registered for logouts; `nil` if the user stays there.
  ///   - logoutHint: Who signs out, as the server knows the user, such as ``IDTokenClaims/sessionID``.
  ///   - sendingIDToken: Whether the stored ID token says whose session ends, so that the server need not ask the user. It is then
  ///     part of the URL, which the histories and logs of browsers, servers and proxies keep: it tells who the user is, and some
  ///     services accept it until it expires. Defaults to `false`.
  ///   - revoking: Whether the tokens are revoked before they are removed.
  /// - Throws: `OAuthError` with code `unsupported` if the server has no such endpoint; `invalidConfiguration`;
  ///   `serverUnavailable`, `TransportError`, `TokenStorageError` and `CancellationError` as `revoke()` throws them. What was stored
  ///   is then kept, so that the call can be repeated, without revoking if need be.
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
