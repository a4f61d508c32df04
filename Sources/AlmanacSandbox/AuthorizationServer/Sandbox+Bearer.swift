// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import Timekeeping

extension Sandbox {
  /// What a request for a protected resource has to show for itself.
  enum BearerOutcome {
    case grant(GrantStore.Grant)
    /// The challenge of the response, and the error in it, if there is one.
    case refused(challenge: String, error: String?)
  }

  /// Reads and checks the access token of a request ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750.html)): in the
  /// `Authorization` field, once, and nowhere else.
  ///
  /// Only what this very server issued is good.
  func bearer(of request: HTTPRequest, from realm: AuthorizationServer.Realm = .google) -> BearerOutcome {
    let challenge = #"Bearer realm="sandbox""#
    let values = request.fields.values(for: "Authorization")
    if values.count > 1 || !request.queryParameters.values(for: "access_token").isEmpty {
      return .refused(challenge: challenge + #", error="invalid_request""#, error: "invalid_request")
    }
    // § 3.1: a request without a token gets the challenge without an error.
    guard let parts = values.first?.split(separator: " "), parts.first?.lowercasedASCII == "bearer" else {
      return .refused(challenge: challenge, error: nil)
    }
    let now = clock.now
    guard parts.count == 2,
      let grant = state.withLock({ $0.issued[realm]?.grants.grant(forAccessToken: String(parts[1]), now: now) })
    else {
      record(.apiRefused, "invalid_token")
      return .refused(challenge: challenge + #", error="invalid_token""#, error: "invalid_token")
    }
    return .grant(grant)
  }
}
