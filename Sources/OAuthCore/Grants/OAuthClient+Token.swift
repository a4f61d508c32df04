// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import OAuthScope
package import PlatformFoundation
import Timekeeping
public import TokenStore

extension OAuthClient {
  /// Exchanges a refresh token for a new access token
  /// ([RFC 6749 § 6](https://www.rfc-editor.org/rfc/rfc6749.html#section-6)).
  ///
  /// A server can rotate refresh tokens, which makes the old one invalid. Call this method only with exclusive access to the stored
  /// token, as ``RefreshingTokenSource`` does.
  ///
  /// - Parameter token: The stored tokens.
  /// - Returns: The new tokens. If the response omits the refresh token or the scopes, they are carried forward. The ID token is always
  ///   carried forward.
  /// - Throws: `TransportError`, `CancellationError`, or ``OAuthError``, such as with one of these codes:
  ///   - ``OAuthError/Code/signInRequired``: There is no refresh token, or the server no longer accepts it.
  ///   - ``OAuthError/Code/issuerMismatch``: Another server issued the token.
  ///   - ``OAuthError/Code/clientMismatch``: The token was issued to another client.
  @concurrent public func refresh(_ token: StoredToken) async throws -> StoredToken {
    let refreshToken = try refreshToken(of: token)
    try checkOwner(of: token)
    try checkProofKey(of: token)
    return try await refresh(token, spending: refreshToken)
  }

  /// Returns the refresh token of `token`, if this client's server supports refresh tokens.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired``.
  func refreshToken(of token: StoredToken) throws -> Secret {
    guard let refreshToken = token.refreshToken else {
      throw OAuthError(.signInRequired, "The access token expired, and there is no refresh token. Sign in again.")
    }
    guard provider.quirks.supportsRefresh else {
      throw OAuthError(
        .signInRequired, "The access token expired, and \(server.name) does not support refresh tokens. Sign in again.")
    }
    return refreshToken
  }

  /// Exchanges the refresh token of a record whose owner and key were checked.
  ///
  /// - Parameter prepare: Called directly before each request is sent.
  func refresh(
    _ token: StoredToken, spending refreshToken: Secret,
    preparedBy prepare: @Sendable (inout HTTPRequest) async throws -> Void = { _ in }
  ) async throws -> StoredToken {
    var form: FormFields = ["grant_type": "refresh_token", "refresh_token": refreshToken.reveal()]
    // RFC 8707 § 2.2: the new token is for the same resources.
    for resource in token.resources { form.append("resource", resource) }
    let (response, error) = try await submit(
      form, to: server.tokenEndpoint, provenBy: token.proofKey, preparedBy: prepare)
    if let error {
      guard error.isRefusedGrant(provider.quirks) || response.response.isBareRefusal else { throw error }
      throw OAuthError(
        .signInRequired, "\(server.name) no longer accepts the refresh token. Sign in again.",
        serverCode: error.serverCode, serverDescription: error.serverDescription)
    }
    var renewed = try await tokens(in: response, provenBy: token.proofKey)
      .stored(requestedScopes: token.scopes, by: self)
    renewed.refreshToken = renewed.refreshToken ?? token.refreshToken
    renewed.requestedScopes = token.requestedScopes
    renewed.resources = token.resources
    // RFC 9396 § 7: the granted details are carried forward if the response omits them.
    renewed.authorizationDetails = renewed.authorizationDetails ?? token.authorizationDetails
    // The ID token of the sign-in was verified; that of a refresh response was not.
    renewed.idToken = token.idToken
    return renewed
  }

  /// Requests an access token by a grant without a user, such as `client_credentials`
  /// ([RFC 6749 § 4.4](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.4)).
  ///
  /// Every call sends a request. Wrap a ``TokenSource`` that calls it in ``CachingTokenSource``.
  ///
  /// - Parameter parameters: The parameters of the grant, including `grant_type`. The client's identifier and credentials are added.
  /// - Returns: The access token. If the response omits the scopes, they are those of the parameter `scope`.
  /// - Throws: ``OAuthError``, `TransportError`, or `CancellationError`.
  public func requestAccessToken(_ parameters: FormFields) async throws -> AccessToken {
    let scopes = parameters["scope"].map { [Scope](parameter: $0) } ?? []
    let response = try await requestToken(parameters, provenBy: try await makeProofKey())
    return AccessToken(response.stored(requestedScopes: scopes, by: self))
  }

  /// Checks that `token` was issued to this client by its server.
  ///
  /// No other server may receive the token, and the token's server would not accept it from another client. A record
  /// without an issuer or a client identifier is rejected: otherwise, its refresh token would be sent to any server
  /// that the program is configured for.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/issuerMismatch`` or ``OAuthError/Code/clientMismatch``.
  func checkOwner(of token: StoredToken) throws {
    guard let issuer = token.issuer else {
      throw OAuthError(
        .issuerMismatch,
        "The stored token does not name its issuer. Set the record's issuer if you know it, or sign in again."
      )
    }
    guard ServerMetadata.isSameIssuer(issuer, server.issuer) else {
      throw OAuthError(
        .issuerMismatch,
        "The stored token was issued by \(OAuthError.printable(issuer, limit: 200)), which is not this client's server, \(server.name). Use another account name, or sign in again."
      )
    }
    guard let clientID = token.clientID else {
      throw OAuthError(
        .clientMismatch,
        "The stored token does not name its client. Set the record's client identifier if you know it, or sign in again."
      )
    }
    guard clientID == registration.clientID else {
      throw OAuthError(
        .clientMismatch,
        "The stored token was issued to the client \(OAuthError.printable(clientID, limit: 200)), not to \(OAuthError.printable(registration.clientID, limit: 200)). Use that client or another account name, or sign in again."
      )
    }
  }

  /// Returns whether `token` was issued to this client by its server.
  func isOwner(of token: StoredToken) -> Bool {
    do { try checkOwner(of: token) } catch { return false }
    return true
  }

  /// Sends one request to the token endpoint.
  ///
  /// - Parameters:
  ///   - parameters: The parameters of the grant.
  ///   - key: The key for binding the tokens, or `nil` for none.
  ///   - prepare: Called directly before the request is sent.
  func requestToken(
    _ parameters: FormFields, provenBy key: ProofKey?,
    preparedBy prepare: @Sendable (inout HTTPRequest) async throws -> Void = { _ in }
  ) async throws -> TokenResponse {
    try await tokens(
      in: try await post(parameters, to: server.tokenEndpoint, provenBy: key, preparedBy: prepare), provenBy: key)
  }

  /// Returns the tokens in a response.
  ///
  /// - Parameter key: The key for binding the tokens, or `nil` for none.
  private func tokens(in response: EndpointResponse, provenBy key: ProofKey?) async throws -> TokenResponse {
    var token = try TokenResponse(response, from: server, receivedAt: clock.now, quirks: provider.quirks)
    token.proofKey = key
    try await refuseOtherBinding(token)
    return token
  }

  /// Sends a form with the client's authentication, and with a proof if there is a key.
  ///
  /// - Throws: ``OAuthError`` for an error response of any form, or the errors of the client authentication and the
  ///   transport.
  package func post(
    _ parameters: FormFields, to endpoint: URL, provenBy key: ProofKey? = nil, within limit: Duration? = nil,
    preparedBy prepare: @Sendable (inout HTTPRequest) async throws -> Void = { _ in }
  ) async throws -> EndpointResponse {
    let (response, error) = try await submit(
      parameters, to: endpoint, provenBy: key, within: limit, preparedBy: prepare)
    if let error { throw error }
    return response
  }

  /// Sends a form like ``post(_:to:provenBy:within:preparedBy:)``, and returns the error of an error response.
  @concurrent private func submit(
    _ parameters: FormFields, to endpoint: URL, provenBy key: ProofKey?, within limit: Duration? = nil,
    preparedBy prepare: @Sendable (inout HTTPRequest) async throws -> Void
  ) async throws -> (EndpointResponse, OAuthError?) {
    let key = try key.map(DPoPKey.init)
    let call = Call(timeout: limit)
    return try await sending.outcome(at: key == nil ? nil : Origin(endpoint)) {
      let form = try await authenticated(parameters, to: endpoint)
      var request = form.httpRequest
      request.timeout = limit
      if let key { request.fields["DPoP"] = try proofs.proof(for: request, accessToken: nil, by: key, now: clock.now) }
      try await prepare(&request)
      let response = try await CallContext.send(request, by: transport, within: call)
      let secrets = form.secrets + request.fields.values(for: "DPoP").map { Secret($0) }
      let parsed = EndpointResponse(response, provider.quirks)
      let error = parsed.oauthError(from: endpoint, provider.quirks, hiding: secrets)
      guard key != nil, response.redirectedOrigin == nil else { return ((parsed, error), false) }
      // RFC 9449 § 8.
      return (
        (parsed, error),
        proofs.shouldRepeat(request, after: response, refusedWith: error?.serverCode, now: clock.now)
      )
    }
  }

  /// Returns a request with the client's authentication.
  func authenticated(_ parameters: FormFields, to endpoint: URL) async throws -> TokenRequest {
    var request = TokenRequest(
      parameters, to: endpoint, clientID: registration.clientID, provider: provider, time: clock.now)
    try await registration.authentication.authenticate(&request)
    return request
  }
}

extension OAuthClient {
  /// Requests an access token by a grant without a user.
  ///
  /// - Parameters:
  ///   - grant: The parameters of the grant.
  ///   - scopes: The scopes to request.
  ///   - parameters: The caller's parameters.
  func accessToken(
    _ grant: FormFields, scopes: [Scope], parameters: AuthorizationParameters
  ) async throws -> AccessToken {
    AccessToken(
      try await tokenResponse(grant, scopes: scopes, parameters: parameters).stored(requestedScopes: scopes, by: self))
  }

  /// Sends one request to the token endpoint.
  func tokenResponse(
    _ grant: FormFields, scopes: [Scope], parameters: AuthorizationParameters
  ) async throws -> TokenResponse {
    var form = grant
    // RFC 6749 § 3.3: a scope is at least one character.
    form["scope"] = scopes.isEmpty ? nil : scopes.joined(separator: provider.quirks.scopeSeparator)
    try form.append(parameters)
    return try await requestToken(form, provenBy: try await makeProofKey())
  }
}
