// SPDX-License-Identifier: Apache-2.0

public import OAuthCore
import Timekeeping
public import TokenStore

extension IDTokenVerifier {
  /// Verifies the ID token of a sign-in.
  ///
  /// A sign-in without the scope `openid` has no ID token to verify. A sign-in with that scope must have an ID token with its nonce,
  /// unless the user denied the scope and the authentication has no enforced requirements.
  ///
  /// - Throws: The errors of ``claims(of:for:)``.
  public func verify(_ token: StoredToken, for pending: PendingAuthorization) async throws {
    guard pending.nonce != nil else { return }
    // The user may have denied the scope. An ID token is required if the scope was granted or if authentication requirements are enforced.
    guard token.idToken != nil || token.scopes.contains(.openID) || pending.authentication.isEnforced else { return }
    _ = try await claims(of: token, for: pending)
  }

  /// Verifies the ID token of a sign-in, including its nonce and the requirements for the authentication, and returns its claims.
  ///
  /// - Throws: The errors of ``claims(of:nonce:accessToken:authorizationCode:authentication:serverClockOffset:)``. Also
  ///   `OAuthError` with code `accessDenied` if there is no ID token because the user denied the scope `openid`, or
  ///   with code `invalidConfiguration` if the sign-in did not request it.
  public func claims(of token: StoredToken, for pending: PendingAuthorization) async throws -> IDTokenClaims {
    guard let nonce = pending.nonce else {
      throw OAuthError(
        .invalidConfiguration, "The sign-in did not request the scope openid, so the user is unknown. Request openid.")
    }
    return try await claims(of: token, nonce: nonce, authentication: pending.authentication)
  }

  /// Verifies the ID token of a sign-in on another device.
  ///
  /// An ID token is required only if the scope `openid` was requested and granted. There is no nonce.
  ///
  /// - Throws: The errors of ``claims(of:nonce:accessToken:authorizationCode:authentication:serverClockOffset:)``.
  public func verify(_ token: StoredToken, for device: DeviceAuthorization) async throws {
    guard token.idToken != nil || (device.scopes.contains(.openID) && token.scopes.contains(.openID)) else { return }
    _ = try await claims(of: token, nonce: nil)
  }

  private func claims(
    of token: StoredToken, nonce: Secret?, authentication: AuthenticationRequirement = AuthenticationRequirement()
  ) async throws -> IDTokenClaims {
    guard let idToken = token.idToken else {
      guard token.scopes.contains(.openID) else {
        throw OAuthError(
          .accessDenied,
          "The user denied the scope openid at \(serverName). To identify the user, sign in again and allow it.")
      }
      throw OAuthError(.invalidResponse, "\(serverName) granted openid but sent no ID token.")
    }
    return try await claims(
      of: idToken, nonce: nonce, accessToken: token.accessToken, authentication: authentication,
      serverClockOffset: token.serverClockOffset)
  }
}

extension AuthenticationRequirement {
  /// Checks that an authentication meets the requirements
  /// ([OpenID Connect Core § 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation), 12 and 13).
  ///
  /// - Throws: `OAuthError` with code `invalidResponse` if the required time of the authentication is missing or in the future, or with
  ///   code `insufficientAuthentication` if the authentication is too old or of another class.
  func check(_ claims: IDTokenClaims, from server: String, at now: Timestamp, leeway: Duration) throws(OAuthError) {
    if let maximumAge {
      // § 2: required if max_age was sent.
      guard let authenticatedAt = claims.authenticatedAt else {
        throw OAuthError(
          .invalidResponse, "The ID token from \(server) lacks the requested time of the user's authentication.")
      }
      guard authenticatedAt <= now + leeway else {
        throw OAuthError(
          .invalidResponse,
          "The ID token from \(server) states an authentication time in the future. Check this machine's clock.")
      }
      guard now <= authenticatedAt + maximumAge + leeway else {
        throw OAuthError(
          .insufficientAuthentication,
          "The user authenticated at \(server) longer ago than allowed. Sign in again with prompt=login.")
      }
    }
    if isContextClassEssential {
      guard let claimed = claims.authenticationContextClass,
        contextClasses.isEmpty || contextClasses.contains(where: { $0.utf8.elementsEqual(claimed.utf8) })
      else {
        throw OAuthError(
          .insufficientAuthentication,
          "The user did not authenticate at \(server) in any of the required ways. Sign in again.")
      }
    }
  }
}
