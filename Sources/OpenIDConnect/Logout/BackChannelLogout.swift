// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import OAuthJOSE
import Support
import Synchronization
import Timekeeping
public import TokenStore

/// Verifies the requests with which a server ends sessions, without a browser
/// ([OpenID Connect Back-Channel Logout](https://openid.net/specs/openid-connect-backchannel-1_0.html)).
///
/// Register the URL of a route as `backchannel_logout_uri`, and keep ``IDTokenClaims/subject`` and ``IDTokenClaims/sessionID`` with
/// every session:
///
/// ```swift
/// let logout = BackChannelLogout(verifier: verifier)
/// let response = await logout.response(to: request) { token in
///   await sessions.end(subject: token.subject, sessionID: token.sessionID)
/// }
/// ```
///
/// Make one and keep it: it remembers the tokens that were used. Any number of tasks may use it. Of several machines each remembers its
/// own, which does no harm, because a session that has ended cannot end again.
public final class BackChannelLogout: Sendable {
  private let verifier: IDTokenVerifier
  private let maximumAge: Duration
  private let requiresType: Bool
  private let used = Mutex(DeadlineQueue<String, Timestamp>())

  /// Creates a verifier of logout requests.
  ///
  /// - Parameters:
  ///   - verifier: The verifier of the server's signatures, which says for whom the tokens are, too.
  ///   - maximumAge: How old a token may be.
  ///   - requiresType: Whether a token must have the type `logout+jwt`. Some servers write `JWT`, or leave it out.
  public init(verifier: IDTokenVerifier, maximumAge: Duration = .seconds(300), requiresType: Bool = true) {
    self.verifier = verifier
    self.maximumAge = maximumAge
    self.requiresType = requiresType
  }

  /// Verifies a logout token (§ 2.6): signature, type, issuer, audience, times, event, and that it is used once.
  ///
  /// - Throws: `OAuthError` with code `invalidResponse` or `issuerMismatch`, `authorizationUsed` if it was used before,
  ///   `serverUnavailable` if the keys cannot be read now; `TransportError`; `CancellationError`.
  public func verify(_ logoutToken: Secret) async throws -> LogoutToken {
    let server = verifier.serverName
    let (header, payload) = try await verifier.verifiedPayload(of: logoutToken, named: "logout token")
    guard isLogout(header.type) else {
      throw OAuthError(.invalidResponse, "The token from \(server) is not of the type logout+jwt.")
    }
    let token = try LogoutToken(payload: payload)
    guard verifier.isIssuer(token.issuer) else {
      throw OAuthError(.issuerMismatch, "The logout token names another issuer than \(server).")
    }
    guard verifier.isAudience(token.audience) else {
      throw OAuthError(.invalidResponse, "The logout token from \(server) is for another client.")
    }
    let (now, leeway) = (verifier.clock.now, verifier.leeway)
    guard token.issuedAt <= now + leeway else {
      throw OAuthError(
        .invalidResponse, "The logout token from \(server) is from the future. Check this machine's clock.")
    }
    let deadline = min(token.issuedAt + maximumAge, token.expiresAt ?? token.issuedAt + maximumAge) + leeway
    guard now < deadline else {
      throw OAuthError(.invalidResponse, "The logout token from \(server) has expired. Check this machine's clock.")
    }
    guard isFirstUse(of: token.identifier, until: deadline, now: now) else {
      throw OAuthError(.authorizationUsed, "The logout token from \(server) was used before.")
    }
    return token
  }

  /// Lets a token be used again whose sessions could not be ended, so that the server's next attempt is not refused.
  func release(_ token: LogoutToken) { used.withLock { $0[token.identifier] = nil } }

  private func isLogout(_ type: String?) -> Bool {
    // RFC 7515 § 4.1.9: a media type without its prefix, compared without regard to case.
    switch type?.lowercased() {
    case "logout+jwt", "application/logout+jwt": true
    case nil, "jwt": !requiresType
    default: false
    }
  }

  private func isFirstUse(of identifier: String, until deadline: Timestamp, now: Timestamp) -> Bool {
    used.withLock { used in
      while used.removeEarliest(dueAt: now) != nil {}
      guard used[identifier] == nil else { return false }
      used[identifier] = deadline
      return true
    }
  }
}
