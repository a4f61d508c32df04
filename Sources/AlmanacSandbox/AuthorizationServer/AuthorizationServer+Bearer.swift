// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import Timekeeping

extension AuthorizationServer {
  /// The outcome of checking a request's access token.
  enum BearerOutcome {
    case grant(GrantStore.Grant)
    /// The challenge and the error code of the response. The response to a request without a token has no error code.
    case refused(challenge: String, error: String?)
  }

  /// Checks the access token of a request ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750.html)).
  ///
  /// The request must have exactly one token, in the `Authorization` field. A token bound to a key requires a DPoP
  /// proof ([RFC 9449 § 7](https://www.rfc-editor.org/rfc/rfc9449.html#section-7)). This server or the Google Cloud
  /// sandbox must have issued the token.
  ///
  /// - Parameter acceptsForm: Whether a form may carry the token
  ///   ([RFC 6750 § 2.2](https://www.rfc-editor.org/rfc/rfc6750.html#section-2.2)), which OpenID Connect Core § 5.3.1 allows at
  ///   userinfo endpoints.
  func bearer(
    of request: HTTPRequest, from realm: ServerProfile.Realm = .google, acceptsForm: Bool = false
  ) -> BearerOutcome {
    let posted = acceptsForm && request.method == .post ? request.form?.values(for: "access_token") ?? [] : []
    let values = request.fields.values(for: "Authorization") + posted.map { "Bearer \($0)" }
    if values.count > 1 || !request.parameters(named: "access_token").isEmpty {
      return .refused(challenge: challenge(for: request, error: "invalid_request"), error: "invalid_request")
    }
    // § 3.1: the challenge for a request without a token has no error.
    guard let parts = values.first?.split(ascii: " ").map(String.init),
      let scheme = parts.first?.lowercasedASCII,
      scheme == "bearer" || scheme == "dpop"
    else {
      return .refused(challenge: challenge(for: request), error: nil)
    }
    let now = clock.now
    guard parts.count == 2,
      let grant = state.withLock({ $0.issued[realm]?.grants.grant(forAccessToken: parts[1], now: now) })
        ?? cloudGrant(of: parts[1], in: realm),
      // RFC 9449 § 7.2: a bound token that is sent as a bearer token is rejected. Otherwise, anyone could use it.
      (grant.keyThumbprint != nil) == (scheme == "dpop"),
      isAudience(grant.resources, of: request)
    else {
      record(.apiRefused, "invalid_token")
      let isProof = scheme == "dpop" && realm == .google
      return .refused(
        challenge: isProof
          ? proofChallenge(for: request, error: "invalid_token") : challenge(for: request, error: "invalid_token"),
        error: "invalid_token")
    }
    guard let thumbprint = grant.keyThumbprint else { return .grant(grant) }
    do throws(OAuthFault) {
      guard try provenKey(of: request, accessToken: parts[1], nonceOf: .resources) == thumbprint else {
        throw .invalidProof("The proof is missing, or was made with another key.")
      }
      return .grant(grant)
    } catch {
      record(.apiRefused, error.error)
      return .refused(challenge: proofChallenge(for: request, error: error.error), error: error.error)
    }
  }

  /// Returns the grant of an access token issued by the Google Cloud sandbox for an account with calendars, or `nil`.
  private func cloudGrant(of token: String, in realm: ServerProfile.Realm) -> GrantStore.Grant? {
    guard realm == .google, let identity = cloud?.identity(ofAccessToken: token) else { return nil }
    // With domain-wide delegation a service account acts as the user.
    let user = identity.subject ?? identity.principal
    guard hasCalendars(user) else { return nil }
    return GrantStore.Grant(
      family: 0, clientID: identity.principal, user: user, scopes: identity.scopes, nonce: nil,
      authenticatedAt: clock.now)
  }
}
