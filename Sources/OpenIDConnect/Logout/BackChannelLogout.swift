// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
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

extension BackChannelLogout {
  /// Verifies the request of a server
  /// ([§ 2.5](https://openid.net/specs/openid-connect-backchannel-1_0.html#BCRequest)).
  ///
  /// - Throws: `OAuthError` with code `invalidCallback` if it is no form with one logout token; what ``verify(_:)`` throws.
  public func verify(_ request: HTTPRequest) async throws -> LogoutToken {
    let type = request.fields["Content-Type"]?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    guard request.method == .post, type == "application/x-www-form-urlencoded",
      let text = String(validating: request.body ?? [], as: UTF8.self)
    else {
      throw OAuthError(.invalidCallback, "A request to sign out must be a form that is posted.")
    }
    let tokens = FormEncoding.form.decode(text).values(for: "logout_token")
    guard let token = tokens.first, tokens.count == 1 else {
      throw OAuthError(.invalidCallback, "A request to sign out must have one logout_token.")
    }
    return try await verify(Secret(token))
  }

  /// Verifies the request of a server, ends the sessions, and returns the response
  /// ([§ 2.8](https://openid.net/specs/openid-connect-backchannel-1_0.html#BCResponse)).
  ///
  /// Runs on the caller's actor, as the closure does.
  ///
  /// - Parameters:
  ///   - request: The request, as it has arrived.
  ///   - endSessions: Ends every session that the token names, and deletes its tokens. An error tells the server that it failed, and the server may then send
  ///     the token again.
  nonisolated(nonsending) public func response(
    to request: HTTPRequest, endingSessions endSessions: (LogoutToken) async throws -> Void
  ) async -> HTTPResponse {
    var response: HTTPResponse
    do {
      let token = try await verify(request)
      do { try await endSessions(token) } catch {
        release(token)
        throw SessionsNotEnded()
      }
      response = HTTPResponse(status: 200)
    } catch let error as OAuthError where error.code != .serverUnavailable {
      // The messages about a token say nothing that its sender does not know.
      response = Self.refusal("invalid_request", error.message)
    } catch {
      response = Self.refusal("server_error", "The sessions could not be ended. Try again later.")
    }
    response.fields["Cache-Control"] = "no-store"
    return response
  }

  /// The sessions could not be ended, whatever the error was: none of its text goes to the server.
  private struct SessionsNotEnded: Error {}

  private static func refusal(_ code: String, _ description: String) -> HTTPResponse {
    let body = JSONValue.object(["error": .string(code), "error_description": .string(description)]).json()
    return HTTPResponse(status: 400, fields: ["Content-Type": "application/json"], body: body)
  }
}
