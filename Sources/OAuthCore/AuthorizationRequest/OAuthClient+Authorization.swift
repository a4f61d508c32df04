// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthScope
public import PlatformFoundation
import Support
import Timekeeping
public import TokenStore

extension OAuthClient {
  /// Begins an authorization with the code grant and PKCE
  /// ([RFC 6749 § 4.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.1)).
  ///
  /// Every call generates a new state, nonce and verifier. Every request includes the provider's
  /// ``Provider/authorizationParameters``.
  ///
  /// If the server or the registration requires pushed requests ([RFC 9126](https://www.rfc-editor.org/rfc/rfc9126.html)), the method
  /// sends the request to the server, and the URL refers to it. Otherwise, it sends nothing. If the registration has a
  /// ``ClientRegistration/requestSigning``, the request is signed ([RFC 9101](https://www.rfc-editor.org/rfc/rfc9101.html)).
  ///
  /// - Parameters:
  ///   - scopes: The scopes to request. `openid` adds a nonce.
  ///   - redirectURI: The redirect URI: https, an app's private-use scheme, or http to loopback.
  ///   - prompt: The prompts for the user, in addition to the provider's. If empty, the server decides.
  ///   - loginHint: The account to sign in with, such as an e-mail address.
  ///   - parameters: Further parameters. They replace the provider's, except prompts, which
  ///     ``AuthorizationParameters/merging(_:)`` combines. They cannot replace those of the request itself.
  ///   - lifetime: The time for the user to complete the sign-in. Defaults to ten minutes.
  /// - Returns: The value to keep until the callback arrives. Show its `authorizationURL` to the user.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/requestRejected`` if the server rejects the pushed request,
  ///   or with code ``OAuthError/Code/invalidConfiguration``. The latter includes an enforced authentication
  ///   (``AuthenticationRequirement/isEnforced``) without the scope `openid`, since only an ID token proves it. Also
  ///   the errors of the client authentication, `TransportError` and `CancellationError`.
  public func beginAuthorization(
    scopes: [Scope], redirectURI: URL, prompt: [AuthorizationParameters.Prompt] = [], loginHint: String? = nil,
    parameters: AuthorizationParameters = [:], lifetime: Duration = .seconds(600)
  ) async throws -> PendingAuthorization {
    // The caller verifies the ID token.
    try checkAuthenticationIsVerified(requesting: scopes, parameters, hasVerifier: true)
    return try await makeAuthorization(
      scopes: scopes, redirectURI: redirectURI, prompt: prompt, loginHint: loginHint, parameters: parameters,
      lifetime: lifetime)
  }

  /// Checks that a sign-in with enforced authentication requirements requests an ID token and has a verifier for it.
  ///
  /// Only the ID token shows whether the requirements are met.
  ///
  /// - Parameters:
  ///   - scopes: The scopes of the request.
  ///   - parameters: The parameters of the request, in addition to the provider's.
  ///   - hasVerifier: Whether the ID token will be verified.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration``.
  func checkAuthenticationIsVerified(
    requesting scopes: [Scope], _ parameters: AuthorizationParameters, hasVerifier: Bool
  ) throws(OAuthError) {
    guard provider.authorizationParameters.merging(parameters).authentication.isEnforced else { return }
    guard scopes.contains(.openID) else {
      throw OAuthError(
        .invalidConfiguration,
        "The sign-in has authentication requirements, which only an ID token can prove. Request the scope openid."
      )
    }
    guard hasVerifier else {
      throw OAuthError(
        .invalidConfiguration,
        "The account has authentication requirements, but no verifier to check them. Add an IDTokenVerifier."
      )
    }
  }

  /// Begins an authorization whose ``AuthorizationParameters/authentication`` this client does not verify.
  ///
  /// For example, a resource can require an authentication and verify it by the access token
  /// ([RFC 9470 § 5](https://www.rfc-editor.org/rfc/rfc9470.html#section-5)).
  func makeAuthorization(
    scopes: [Scope], redirectURI: URL, prompt: [AuthorizationParameters.Prompt] = [], loginHint: String? = nil,
    parameters: AuthorizationParameters = [:], lifetime: Duration = .seconds(600)
  ) async throws -> PendingAuthorization {
    try RedirectResponse.checkRedirectURI(redirectURI)
    guard provider.quirks.checksPKCE || !(registration.authentication is NoClientAuthentication) else {
      throw OAuthError(
        .invalidConfiguration,
        "\(server.name) does not verify PKCE, so a client without credentials is not safe. Provide the client's credentials."
      )
    }
    let state = randomToken()
    let nonce = scopes.contains(.openID) ? randomToken() : nil
    let pkce = PKCE()
    var query: FormFields = [
      "response_type": "code", "client_id": registration.clientID, "redirect_uri": redirectURI.absoluteString,
    ]
    // RFC 6749 § 3.3: a scope is at least one character.
    query["scope"] = scopes.isEmpty ? nil : scopes.joined(separator: provider.quirks.scopeSeparator)
    query["state"] = state
    query["code_challenge"] = pkce.challenge
    query["code_challenge_method"] = "S256"
    query["nonce"] = nonce
    let proofKey = try await makeProofKey()
    // RFC 9449 § 10.
    query["dpop_jkt"] = try proofKey.map { try DPoPKey($0).thumbprint }
    var asked = parameters.merging(AuthorizationParameters(prompt: prompt))
    asked.loginHint = loginHint ?? parameters.loginHint
    let all = provider.authorizationParameters.merging(asked)
    try all.checkResources()
    try all.checkAuthentication()
    let own = Set(query.map(\.name) + ["nonce", "scope", "request", "request_uri", "dpop_jkt"])
    for (name, value) in all.sorted {
      guard !own.contains(name) else {
        throw OAuthError(.invalidConfiguration, "The parameter \(name) is set by the request itself. Remove it.")
      }
      query.append(name, value)
    }
    guard let endpoint = server.authorizationEndpoint else {
      throw OAuthError(
        .unsupported,
        "\(server.name) has no authorization endpoint. Use a grant that needs none, or complete its metadata."
      )
    }
    // A client that cannot authenticate fails before the user is asked, not after.
    _ = try await authenticated([:], to: server.tokenEndpoint)
    guard let authorizationURL = endpoint.appending(try await delivered(query, provenBy: proofKey), as: .form) else {
      throw OAuthError(
        .invalidConfiguration,
        "The authorization endpoint of \(server.name) has a fragment, so no query can be added. Correct its URL.")
    }
    try checkPageURL(
      size: authorizationURL.absoluteString.utf8.count, remedy: "Request fewer scopes, or push the request.")
    return PendingAuthorization(
      authorizationURL: authorizationURL, redirectURI: redirectURI,
      issuer: server.issuer, scopes: scopes, state: Secret(state), nonce: nonce.map { Secret($0) }, pkce: pkce,
      authentication: all.authentication, resources: all.resources, proofKey: proofKey, lifetime: lifetime,
      deadline: clock.now + lifetime)
  }

  /// Checks the callback and exchanges the code for tokens
  /// ([RFC 6749 § 4.1.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.1.3)).
  ///
  /// Before it sends the code, the client checks, in order: the URL and `state`, the deadline, reuse, the issuer, the outcome.
  ///
  /// - Parameters:
  ///   - pending: The value returned by
  ///     ``beginAuthorization(scopes:redirectURI:prompt:loginHint:parameters:lifetime:)``.
  ///   - callback: The complete callback URL.
  /// - Returns: The tokens. Their `scopes` may be fewer than those requested.
  /// - Throws: ``OAuthError``, `TransportError`, or `CancellationError`.
  public func completeAuthorization(_ pending: PendingAuthorization, callback: URL) async throws -> StoredToken {
    try await exchange(try code(of: pending, callback: callback), of: pending) { _ in }
  }

  /// Checks a callback, and marks the authorization as completed.
  ///
  /// - Returns: The authorization code.
  func code(of pending: PendingAuthorization, callback: URL) throws -> Secret {
    let response = try CallbackParameters(callback, for: pending)
    guard ServerMetadata.isSameIssuer(pending.issuer, server.issuer) else {
      throw OAuthError(
        .issuerMismatch,
        "The authorization began at \(OAuthError.printable(pending.issuer, limit: 200)), which is not this client's server, \(server.name). Complete it with the client that began it."
      )
    }
    let now = clock.now
    guard now <= pending.deadline else {
      throw OAuthError(.signInTimedOut, "The sign-in took longer than allowed. Start it again.")
    }
    guard completed.insert(pending.state.reveal(), until: pending.deadline, now: now) else {
      throw OAuthError(.authorizationUsed, "This sign-in was already completed. Start a new one.")
    }
    return try response.code(from: server)
  }

  /// Allows an authorization to be completed again, since its code was not sent.
  func reopen(_ pending: PendingAuthorization) { completed.remove(pending.state.reveal()) }

  /// Exchanges an authorization code.
  ///
  /// - Parameter prepare: Called directly before each request with the code.
  func exchange(
    _ code: Secret, of pending: PendingAuthorization,
    preparedBy prepare: @Sendable (inout HTTPRequest) async throws -> Void
  ) async throws -> StoredToken {
    var form: FormFields = [
      "grant_type": "authorization_code",
      "code": code.reveal(),
      "redirect_uri": pending.redirectURI.absoluteString,
      "code_verifier": pending.pkce.verifier.reveal(),
    ]
    // RFC 8707 § 2.2.
    for resource in pending.resources { form.append("resource", resource.absoluteString) }
    let tokens = try await requestToken(form, provenBy: pending.proofKey, preparedBy: prepare)
    var stored = tokens.stored(requestedScopes: pending.scopes, by: self)
    stored.requestedScopes = pending.scopes
    stored.resources = pending.resources.map(\.absoluteString)
    // Without a nonce, the ID token could belong to another sign-in.
    if pending.nonce == nil { stored.idToken = nil }
    return stored
  }
}
