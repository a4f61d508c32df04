// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
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
  public func refresh(_ token: StoredToken) async throws -> StoredToken {
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
    preparedBy prepare: (inout HTTPRequest) async throws -> Void = { _ in }
  ) async throws -> StoredToken {
    do {
      var form: FormFields = ["grant_type": "refresh_token", "refresh_token": refreshToken.reveal()]
      // RFC 8707 § 2.2: the new token is for the same resources.
      for resource in token.resources { form.append("resource", resource) }
      let response = try await requestToken(
        form, provenBy: token.proofKey, noticingRefusals: true, preparedBy: prepare)
      var renewed = response.stored(requestedScopes: token.scopes, by: self)
      renewed.refreshToken = renewed.refreshToken ?? token.refreshToken
      renewed.requestedScopes = token.requestedScopes
      renewed.resources = token.resources
      // RFC 9396 § 7: the granted details are carried forward if the response omits them.
      renewed.authorizationDetails = renewed.authorizationDetails ?? token.authorizationDetails
      // The ID token of the sign-in was verified; that of a refresh response was not.
      renewed.idToken = token.idToken
      return renewed
    } catch let error as RefusedGrant {
      throw OAuthError(
        .signInRequired, "\(server.name) no longer accepts the refresh token. Sign in again.",
        serverCode: error.reason.serverCode, serverDescription: error.reason.serverDescription)
    }
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
  ///   - noticingRefusals: Whether the rejection of the grant itself is thrown as ``RefusedGrant``.
  ///   - prepare: Called directly before the request is sent.
  func requestToken(
    _ parameters: FormFields, provenBy key: ProofKey?, noticingRefusals: Bool = false,
    preparedBy prepare: (inout HTTPRequest) async throws -> Void = { _ in }
  ) async throws -> TokenResponse {
    let response = try await post(
      parameters, to: server.tokenEndpoint, provenBy: key, noticingRefusals: noticingRefusals, preparedBy: prepare)
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
    _ parameters: FormFields, to endpoint: URL, provenBy key: ProofKey? = nil, noticingRefusals: Bool = false,
    within limit: Duration? = nil, preparedBy prepare: (inout HTTPRequest) async throws -> Void = { _ in }
  ) async throws -> EndpointResponse {
    let key = try key.map(DPoPKey.init)
    let call = Call(timeout: limit)
    let (response, error) = try await sending.outcome(at: key == nil ? nil : Origin(endpoint)) {
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
    if let error {
      if noticingRefusals, error.isRefusedGrant(provider.quirks) || response.response.isBareRefusal {
        throw RefusedGrant(reason: error)
      }
      throw error
    }
    return response
  }

  /// Returns a request with the client's authentication.
  func authenticated(_ parameters: FormFields, to endpoint: URL) async throws -> TokenRequest {
    var request = TokenRequest(
      parameters, to: endpoint, clientID: registration.clientID, provider: provider, time: clock.now)
    try await registration.authentication.authenticate(&request)
    return request
  }
}

/// An error of a token or revocation endpoint ([RFC 6749 § 5.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.2)).
private struct ErrorResponse {
  let error: String
  let description: String?

  /// Creates a value from a response, or returns `nil` if the response is not an OAuth error.
  init?(_ response: EndpointResponse, _ quirks: Provider.Quirks) {
    // A successful response with a token is not an error. A response with an error can contain an empty token.
    guard !response.response.isSuccess || response["access_token"]?.string == nil else { return nil }
    if let places = quirks.errorMembers, let code = response.members.text(at: places.code) {
      error = code
      description = response.members.text(at: places.description)
    } else if let code = response["error"]?.string {
      error = code
      description = response["error_description"]?.string
    } else {
      return nil
    }
  }
}

extension JSONValue {
  /// Returns the string or number at a path of member names, or `nil` if there is none.
  ///
  /// The number 0 is not an error code.
  fileprivate func text(at names: [String]) -> String? {
    let value = names.reduce(Optional(self)) { $0?[$1] }
    return value?.string ?? value?.number.flatMap { $0.integer == 0 ? nil : $0.text }
  }
}

/// An error for a rejected grant, which requires a new sign-in.
private struct RefusedGrant: Error {
  let reason: OAuthError
}

extension EndpointResponse {
  /// Returns the error of a response with any status and content, or `nil` for a success.
  func oauthError(from endpoint: URL, _ quirks: Provider.Quirks, hiding secrets: [Secret]) -> OAuthError? {
    let errorResponse = ErrorResponse(self, quirks)
    // Some servers, such as GitHub, send their errors with status 200.
    guard !response.isSuccess || errorResponse != nil else { return nil }
    return OAuthError(
      errorResponse, status: response.status, from: endpoint, quirks, hiding: secrets.map { $0.reveal() })
  }
}

extension HTTPResponse {
  /// Whether the server rejected the request without a reason, as some servers do for an unknown refresh token.
  fileprivate var isBareRefusal: Bool { [400, 401, 403].contains(status) && body.allSatisfy(\.isWhitespace) }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension OAuthError {
  fileprivate func isRefusedGrant(_ quirks: Provider.Quirks) -> Bool {
    guard code == .requestRejected, let serverCode else { return false }
    return ServerErrorCode.refusedGrants.contains(serverCode)
      || quirks.refusedGrantErrors.contains { $0 == serverCode || serverDescription?.hasPrefix($0) == true }
  }

  /// Creates the error of a token or revocation endpoint, for any status and content.
  fileprivate init(
    _ errorResponse: ErrorResponse?, status: Int, from endpoint: URL, _ quirks: Provider.Quirks,
    hiding secrets: [String]
  ) {
    let description = errorResponse?.description
    let server = Origin(endpoint)?.description ?? "The authorization server"
    let unavailable = "\(server) is temporarily unavailable (status \(status)). Try again later."
    switch errorResponse?.error {
    case "temporarily_unavailable", "server_error", "slow_down":
      self.init(
        .serverUnavailable, unavailable, serverCode: errorResponse?.error, serverDescription: description,
        hiding: secrets)
    case let code
    where HTTPResponse(status: status).isTransientFailure || code.map(quirks.transientErrors.contains) == true:
      self.init(
        .serverUnavailable, unavailable, serverCode: errorResponse?.error, serverDescription: description,
        hiding: secrets)
    case let code? where ServerErrorCode.refusedClients.contains(code):
      self.init(
        .requestRejected, "\(server) does not accept this client. Check its identifier, secret and authentication.",
        serverCode: code, serverDescription: description, hiding: secrets)
    case let code?:
      self.init(
        .requestRejected, Self.withAdvice("\(server) refused the request", for: code), serverCode: code,
        serverDescription: description,
        hiding: secrets)
    case nil:
      self.init(unexplained: status, from: server)
    }
  }
}
