import HTTPTransport
public import TokenStore

extension OAuthClient {
  /// Revokes the authorization behind stored tokens ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009.html)).
  ///
  /// The refresh token is sent where there is one, since that ends the whole authorization; else the access token. A token
  /// that the server no longer knows counts as revoked.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupported`` if the server has no revocation endpoint,
  ///   ``OAuthError/Code/issuerMismatch`` if another server gave the tokens, ``OAuthError/Code/serverUnavailable`` if it failed for the moment; `TransportError`; `CancellationError`.
  public func revoke(_ token: StoredToken) async throws {
    guard let endpoint = server.revocationEndpoint else {
      throw OAuthError(
        .unsupported, "The server has no revocation endpoint. Remove the stored token and the access it gave by hand.")
    }
    try checkIssuer(of: token)
    let hint = token.refreshToken == nil ? "access_token" : "refresh_token"
    let secret = token.refreshToken ?? token.accessToken
    do {
      _ = try await post(["token": secret.reveal(), "token_type_hint": hint], to: endpoint)
    } catch let error as OAuthError where error.serverCode == "invalid_token" {
      // RFC 7009 § 2.2 answers 200 for an unknown token; Google says 400 invalid_token.
    }
  }
}
