// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthCore
import Timekeeping
import TokenStore

extension IDTokenVerifier {
  /// Verifies a signed profile and returns its claims
  /// ([OpenID Connect Core § 5.3.2](https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse)).
  ///
  /// The claims `iss`, `aud`, `exp` and `nbf` are optional. Each is checked if present.
  ///
  /// - Throws: The errors of ``claims(of:nonce:accessToken:authorizationCode:authentication:serverClockOffset:)``.
  func signedProfile(_ text: Secret) async throws -> JSONValue {
    let payload = try await verifiedPayload(of: text, named: "signed profile").payload
    guard let claims = try? JSONValue(json: payload, requiringUniqueNames: true), let members = JSONMembers(claims)
    else {
      throw OAuthError(.invalidResponse, "The signed profile is not a JSON object.")
    }
    try ServerLimits.check(claims: members.values, of: "signed profile")
    try checkMembers(members)
    return claims
  }

  private func checkMembers(_ members: JSONMembers) throws {
    let issuer: String?
    let audience: [String]?
    let expiresAt: Timestamp?
    let notBefore: Timestamp?
    do throws(JSONMembers.Mismatch) {
      issuer = try members.optional("iss", \.string)
      audience = try members.optional("aud", \.audience)
      expiresAt = try members.optional("exp", \.date)
      notBefore = try members.optional("nbf", \.date)
    } catch {
      throw OAuthError(.invalidResponse, "The signed profile's claim \(error.name) is of the wrong type.")
    }
    guard issuer.map(isIssuer) ?? true else {
      throw OAuthError(.issuerMismatch, "The signed profile names another issuer than \(serverName).")
    }
    guard audience.map(isAudience) ?? true else {
      throw OAuthError(.invalidResponse, "The signed profile from \(serverName) is for another client.")
    }
    let now = clock.now
    guard expiresAt.map({ now < $0 + leeway }) ?? true, notBefore.map({ $0 <= now + leeway }) ?? true else {
      throw OAuthError(
        .invalidResponse,
        "The signed profile from \(serverName) has expired or is not valid yet. Check this machine's clock.")
    }
  }
}
