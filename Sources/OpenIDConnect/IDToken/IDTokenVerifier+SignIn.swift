// SPDX-License-Identifier: Apache-2.0

public import OAuthCore
public import TokenStore

extension IDTokenVerifier {
  /// Verifies the ID token of a sign-in.
  ///
  /// A sign-in that did not ask for `openid` has none to verify; one that did must have one with its nonce.
  ///
  /// - Throws: As ``claims(of:nonce:accessToken:authorizationCode:authentication:serverClockOffset:)``.
  public func verify(_ token: StoredToken, for pending: PendingAuthorization) async throws {
    guard pending.nonce != nil else { return }
    // The scope may have been refused; an ID token that was granted must be there, and one that proves what was required.
    guard token.idToken != nil || token.scopes.contains("openid") || pending.authentication.isEnforced else { return }
    _ = try await claims(of: token, for: pending)
  }

  /// Verifies the ID token of a sign-in by all that the request asked for, nonce and authentication included, and returns what it
  /// says.
  ///
  /// - Throws: As ``claims(of:nonce:accessToken:authorizationCode:authentication:serverClockOffset:)``;
  ///   with code `accessDenied` if there is no ID token because the user has refused the scope `openid`.
  public func claims(of token: StoredToken, for pending: PendingAuthorization) async throws -> IDTokenClaims {
    guard let nonce = pending.nonce else {
      throw OAuthError(
        .invalidConfiguration, "The sign-in did not request the scope openid, so it is not known who signed in.")
    }
    return try await claims(of: token, nonce: nonce, authentication: pending.authentication)
  }

  /// Verifies the ID token of a sign-in on another device.
  ///
  /// A sign-in that did not ask for `openid` may have none. There is no nonce.
  ///
  /// - Throws: As ``claims(of:nonce:accessToken:authorizationCode:authentication:serverClockOffset:)``.
  public func verify(_ token: StoredToken, for device: DeviceAuthorization) async throws {
    guard token.idToken != nil || (device.scopes.contains("openid") && token.scopes.contains("openid")) else { return }
    _ = try await claims(of: token, nonce: nil)
  }

  private func claims(
    of token: StoredToken, nonce: Secret?, authentication: AuthenticationRequirement = AuthenticationRequirement()
  ) async throws -> IDTokenClaims {
    guard let idToken = token.idToken else {
      guard token.scopes.contains("openid") else {
        throw OAuthError(
          .accessDenied, "Without the scope openid, which was refused, it is not known who signed in at \(serverName).")
      }
      throw OAuthError(.invalidResponse, "\(serverName) granted openid but sent no ID token.")
    }
    return try await claims(
      of: idToken, nonce: nonce, accessToken: token.accessToken, authentication: authentication,
      serverClockOffset: token.serverClockOffset)
  }
}
