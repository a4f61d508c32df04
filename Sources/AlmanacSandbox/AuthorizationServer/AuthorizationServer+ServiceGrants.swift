// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import OAuthScope
import Synchronization
import Timekeeping

/// Grants without user interaction.
extension AuthorizationServer {
  /// Issues an access token for client credentials ([RFC 6749 § 4.4](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.4)).
  func issueForClient(
    _ form: Parameters, _ client: Client, boundTo keyThumbprint: String?, at server: ServerProfile
  ) throws(OAuthFault) -> GrantStore.Issued {
    guard client.authentication != .none else {
      throw OAuthFault("unauthorized_client", "A public client has no credentials.")
    }
    let scopes = try scopes(asked: form["scope"], client, at: server)
    // An ID token identifies a user, and this grant has none.
    guard !scopes.contains(.openID) else { throw .invalidScope("The scope openid requires a user.") }
    record(.tokenIssued, client: client.id, scopes.joined())
    // § 4.4.3: no refresh token.
    return issue(to: client, scopes: scopes, boundTo: keyThumbprint, withRefreshToken: false, at: server)
  }

  /// Issues an access token for a JWT assertion ([RFC 7523 § 2.1](https://www.rfc-editor.org/rfc/rfc7523.html#section-2.1)).
  func redeemAssertion(
    _ form: Parameters, _ client: Client, boundTo keyThumbprint: String?, at server: ServerProfile
  ) throws(OAuthFault) -> GrantStore.Issued {
    guard let text = form["assertion"] else { throw .invalidRequest("assertion is required.") }
    guard let jws = try? JWS(compact: text) else { throw .invalidGrant("The assertion is not a signed JWT.") }
    var found: Assertion?
    for (issuer, keys) in configuration.assertionIssuers {
      let payload = try? jws.payload(verifiedWith: keys, allowing: JWS.Algorithm.asymmetric)
      if let assertion = payload.flatMap({ Assertion($0) }), assertion.issuer == issuer { found = assertion }
    }
    let names = [server.issuer, server.tokenEndpoint]
    guard let found, found.isValid(at: clock.now, for: names), isFirstUse(of: found, at: server) else {
      throw .invalidGrant(
        "The assertion is not signed by a known issuer, was used, or has invalid claims.")
    }
    let scopes = try scopes(asked: form["scope"] ?? found.scope, client, at: server)
    record(.tokenIssued, client: client.id, scopes.joined())
    let user = configuration.users.first { $0.email == found.subject }?.email
    return issue(
      to: client, user: user, scopes: scopes, boundTo: keyThumbprint, withRefreshToken: false, at: server)
  }

  /// Exchanges an access token of the sandbox for another
  /// ([RFC 8693 § 2](https://www.rfc-editor.org/rfc/rfc8693.html#section-2)).
  func exchange(
    _ form: Parameters, _ client: Client, boundTo keyThumbprint: String?, at server: ServerProfile
  ) throws(OAuthFault) -> GrantStore.Issued {
    let accessToken = "urn:ietf:params:oauth:token-type:access_token"
    guard let subject = form["subject_token"], let type = form["subject_token_type"] else {
      throw .invalidRequest("subject_token and subject_token_type are required.")
    }
    guard (form["actor_token"] == nil) == (form["actor_token_type"] == nil) else {
      throw .invalidRequest("actor_token and actor_token_type must be sent together.")
    }
    guard type == accessToken, form["actor_token_type"] ?? accessToken == accessToken,
      form["requested_token_type"] ?? accessToken == accessToken
    else { throw .invalidRequest("Only access tokens can be exchanged.") }
    guard form.values(for: "audience").allSatisfy(configuration.exchangeAudiences.contains) else {
      throw OAuthFault("invalid_target", "An audience is unknown.")
    }
    let now = clock.now
    let grants = state.withLock { state in
      [subject, form["actor_token"]].compactMap(\.self).map {
        state.issued[server.realm]?.grants.grant(forAccessToken: $0, now: now)
      }
    }
    // § 2.2.2.
    guard let grant = grants.first ?? nil, !grants.contains(where: { $0 == nil }) else {
      throw .invalidRequest("The subject token or the actor token is not valid.")
    }
    let scopes = form["scope"].map { [Scope](parameter: $0) } ?? grant.scopes
    guard Set(scopes).isSubset(of: grant.scopes) else {
      throw .invalidScope("The scope exceeds that of the subject token.")
    }
    record(.tokenIssued, client: client.id, scopes.joined())
    var issued = issue(
      to: client, user: grant.user, scopes: scopes.filter { $0 != .openID }, boundTo: keyThumbprint,
      withRefreshToken: false, at: server)
    issued.members["issued_token_type"] = .string(accessToken)
    return issued
  }
}
