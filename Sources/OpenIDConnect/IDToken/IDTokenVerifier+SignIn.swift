// SPDX-License-Identifier: Apache-2.0

public import OAuthCore
import Timekeeping
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

extension AuthenticationRequirement {
  /// Checks that an authentication meets the requirement
  /// ([OpenID Connect Core § 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation), 12 and 13).
  ///
  /// - Throws: `OAuthError` with code `invalidResponse` if the server does not say when the user authenticated,
  ///   `insufficientAuthentication` if it was too long ago or in another way.
  func check(_ claims: IDTokenClaims, from server: String, at now: Timestamp, leeway: Duration) throws(OAuthError) {
    if let maximumAge {
      // § 2: required if max_age was sent.
      guard let authenticatedAt = claims.authenticatedAt else {
        throw OAuthError(
          .invalidResponse, "The ID token from \(server) does not say when the user authenticated, as was requested.")
      }
      guard authenticatedAt <= now + leeway else {
        throw OAuthError(
          .invalidResponse,
          "The ID token from \(server) has an authentication in the future. Check this machine's clock.")
      }
      guard now <= authenticatedAt + maximumAge + leeway else {
        throw OAuthError(
          .insufficientAuthentication,
          "The user authenticated at \(server) longer ago than was allowed. Sign in again, with prompt=login.")
      }
    }
    if isContextClassEssential {
      guard let claimed = claims.authenticationContextClass,
        contextClasses.isEmpty || contextClasses.contains(where: { $0.utf8.elementsEqual(claimed.utf8) })
      else {
        throw OAuthError(
          .insufficientAuthentication,
          "The user did not authenticate at \(server) in any of the ways that were required. Sign in again.")
      }
    }
  }
}
