// SPDX-License-Identifier: Apache-2.0

public import OAuthCore
import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
