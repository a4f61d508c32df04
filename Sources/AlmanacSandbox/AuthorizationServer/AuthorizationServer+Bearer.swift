// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import Timekeeping

extension AuthorizationServer {
  /// What a request for a protected resource has to show for itself.
  enum BearerOutcome {
    case grant(GrantStore.Grant)
    /// The challenge of the response, and the error in it, if there is one.
    case refused(challenge: String, error: String?)
  }

  /// Reads and checks the access token of a request ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750.html)): in the
  /// `Authorization` field, once, and nowhere else; one that is bound to a key with a proof
  /// ([RFC 9449 § 7](https://www.rfc-editor.org/rfc/rfc9449.html#section-7)).
  ///
  /// The token must be from this very server, or from ``Configuration/googleCloud``.
  ///
  /// - Parameter acceptsForm: Whether the token may be in a form too, as OpenID Connect Core § 5.3.1 lets userinfo endpoints accept it
  ///   ([RFC 6750 § 2.2](https://www.rfc-editor.org/rfc/rfc6750.html#section-2.2)).
  func bearer(
    of request: HTTPRequest, from realm: ServerProfile.Realm = .google, acceptsForm: Bool = false
  ) -> BearerOutcome {
    let posted = acceptsForm && request.method == .post ? request.form?.values(for: "access_token") ?? [] : []
    let values = request.fields.values(for: "Authorization") + posted.map { "Bearer \($0)" }
    if values.count > 1 || !request.queryParameters.values(for: "access_token").isEmpty {
      return .refused(challenge: challenge(for: request, error: "invalid_request"), error: "invalid_request")
    }
    // § 3.1: a request without a token gets the challenge without an error.
    guard let parts = values.first?.split(separator: " "), let scheme = parts.first?.lowercasedASCII,
      scheme == "bearer" || scheme == "dpop"
    else {
      return .refused(challenge: challenge(for: request), error: nil)
    }
    let now = clock.now
    guard parts.count == 2,
      let grant = state.withLock({ $0.issued[realm]?.grants.grant(forAccessToken: String(parts[1]), now: now) })
        ?? cloudGrant(of: String(parts[1]), in: realm),
      // RFC 9449 § 7.2: or a bound token would be of use to anyone after all.
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
      guard try provenKey(of: request, accessToken: String(parts[1]), nonceOf: .resources) == thumbprint else {
        throw .invalidProof("The proof is missing, or of another key.")
      }
      return .grant(grant)
    } catch {
      record(.apiRefused, error.error)
      return .refused(challenge: proofChallenge(for: request, error: error.error), error: error.error)
    }
  }

  /// The grant of an access token that the Google Cloud sandbox has issued for an account with calendars; `nil` for any other.
  private func cloudGrant(of token: String, in realm: ServerProfile.Realm) -> GrantStore.Grant? {
    guard realm == .google, let identity = configuration.googleCloud?.identity(ofAccessToken: token) else { return nil }
    // With domain-wide delegation a service account acts as the user.
    let user = identity.subject ?? identity.principal
    guard hasCalendars(user) else { return nil }
    return GrantStore.Grant(
      family: 0, clientID: identity.principal, user: user, scopes: identity.scopes, nonce: nil,
      authenticatedAt: clock.now)
  }
}
