// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
import Support
import Synchronization
import Timekeeping
public import TokenStore

/// A verifier of a server's back-channel logout requests, which end sessions without a browser
/// ([OpenID Connect Back-Channel Logout](https://openid.net/specs/openid-connect-backchannel-1_0.html)).
///
/// Register the URL of a route as `backchannel_logout_uri`, and store ``IDTokenClaims/subject`` and ``IDTokenClaims/sessionID`` with
/// every session:
///
/// ```swift
/// let logout = BackChannelLogout(verifier: verifier)
/// let response = await logout.response(to: request) { token in
///   await sessions.end(subject: token.subject, sessionID: token.sessionID)
/// }
/// ```
///
/// Create one instance and keep it, since it stores the used tokens to detect reuse. Any number of tasks can use it.
/// Several machines can each have their own instance: the reuse of a token on another machine has no effect on already
/// ended sessions.
public final class BackChannelLogout: Sendable {
  private let verifier: IDTokenVerifier
  private let maximumAge: Duration
  private let requiresType: Bool
  private let used = Mutex(DeadlineQueue<String, Timestamp>())

  /// Creates a verifier of logout requests.
  ///
  /// - Parameters:
  ///   - verifier: The verifier of the server's signatures, which also determines the issuer and the audience.
  ///   - maximumAge: The maximum age of a token. Defaults to five minutes.
  ///   - requiresType: Whether a token must have the type `logout+jwt`. Some servers use `JWT` or omit the type. Defaults to `true`.
  public init(verifier: IDTokenVerifier, maximumAge: Duration = .seconds(300), requiresType: Bool = true) {
    self.verifier = verifier
    self.maximumAge = maximumAge
    self.requiresType = requiresType
  }

  /// Verifies a logout token (§ 2.6): signature, type, issuer, audience, times, event, and single use.
  ///
  /// - Throws: `OAuthError` with one of these codes: `invalidResponse`, `issuerMismatch`, `authorizationUsed` if the
  ///   token was used before, `serverUnavailable` if the keys are temporarily unavailable, `unsupported` if the server
  ///   publishes no keys. Also `TransportError` and `CancellationError`.
  @concurrent public func verify(_ logoutToken: Secret) async throws -> LogoutToken {
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
        .invalidResponse,
        "The logout token from \(server) was issued in the future. Check this machine's clock.")
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

  /// Marks a token as unused because its sessions could not be ended, so the server's next attempt is accepted.
  func release(_ token: LogoutToken) { used.withLock { $0[token.identifier] = nil } }

  private func isLogout(_ type: String?) -> Bool {
    // RFC 7515 § 4.1.9: a case-insensitive media type, whose prefix can be omitted.
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
  /// Verifies a logout request
  /// ([§ 2.5](https://openid.net/specs/openid-connect-backchannel-1_0.html#BCRequest)).
  ///
  /// - Throws: `OAuthError` with code `invalidCallback` if the request is not a form with one logout token. Also the
  ///   errors of the verification of the token.
  public func verify(_ request: HTTPRequest) async throws -> LogoutToken {
    let type = request.fields["Content-Type"]?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    guard request.method == .post, type == "application/x-www-form-urlencoded",
      let text = String(validating: request.body ?? [], as: UTF8.self)
    else {
      throw OAuthError(.invalidCallback, "A logout request must be a POST request with a form.")
    }
    let tokens = FormEncoding.form.decode(text).values(for: "logout_token")
    guard let token = tokens.first, tokens.count == 1 else {
      throw OAuthError(.invalidCallback, "A logout request must have one logout_token.")
    }
    return try await verify(Secret(token))
  }

  /// Verifies a logout request, ends the sessions, and returns the response
  /// ([§ 2.8](https://openid.net/specs/openid-connect-backchannel-1_0.html#BCResponse)).
  ///
  /// The closure runs on its own actor, or on none.
  ///
  /// - Parameters:
  ///   - request: The request as received.
  ///   - endSessions: Ends every session named by the token, and deletes its tokens. If it throws, the response reports
  ///     a failure, and the server can send the token again.
  public func response(
    to request: HTTPRequest, endingSessions endSessions: @concurrent (LogoutToken) async throws -> Void
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
      // The messages about a token contain only what its sender already has.
      response = Self.refusal("invalid_request", error.message)
    } catch {
      response = Self.refusal("server_error", "The sessions could not be ended. Try again later.")
    }
    response.fields["Cache-Control"] = "no-store"
    return response
  }

  /// An error for sessions that could not be ended, without the original error, whose text must not be sent to the
  /// server.
  private struct SessionsNotEnded: Error {}

  private static func refusal(_ code: String, _ description: String) -> HTTPResponse {
    let body = JSONValue.object(["error": .string(code), "error_description": .string(description)]).json()
    return HTTPResponse(status: 400, fields: ["Content-Type": "application/json"], body: body)
  }
}
