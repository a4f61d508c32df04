// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import Timekeeping

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
