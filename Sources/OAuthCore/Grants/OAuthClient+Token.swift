// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
import Timekeeping
public import TokenStore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension OAuthClient {
  /// Exchanges a refresh token for a new access token
  /// ([RFC 6749 § 6](https://www.rfc-editor.org/rfc/rfc6749.html#section-6)).
  ///
  /// This spends the refresh token: call it only with exclusive access to where the token is stored, as
  /// ``RefreshingTokenSource`` does.
  ///
  /// - Parameter token: The tokens as stored.
  /// - Returns: The new tokens. Refresh token, scopes and ID token are carried forward where the response omits them.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired`` if the server no longer accepts the refresh token
  ///   or there is none, ``OAuthError/Code/issuerMismatch`` if another server gave it; `TransportError`;
  ///   `CancellationError`.
  public func refresh(_ token: StoredToken) async throws -> StoredToken {
    let refreshToken = try refreshToken(of: token)
    try checkOwner(of: token)
    try checkProofKey(of: token)
    return try await refresh(token, spending: refreshToken)
  }

  /// Returns the refresh token of `token`, if this client's server exchanges it.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired``.
  func refreshToken(of token: StoredToken) throws -> Secret {
    guard let refreshToken = token.refreshToken else {
      throw OAuthError(.signInRequired, "The access token expired and there is no refresh token. Sign in again.")
    }
    guard provider.quirks.supportsRefresh else {
      throw OAuthError(.signInRequired, "The access token expired and \(server.name) refreshes none. Sign in again.")
    }
    return refreshToken
  }

  /// Exchanges the refresh token of a token whose owner and key were checked.
  func refresh(_ token: StoredToken, spending refreshToken: Secret) async throws -> StoredToken {
    do {
      var form: FormFields = ["grant_type": "refresh_token", "refresh_token": refreshToken.reveal()]
      // RFC 8707 § 2.2: the token stays one for the same services.
      for resource in token.resources { form.append("resource", resource) }
      let response = try await requestToken(form, provenBy: token.proofKey, noticingRefusals: true)
      var renewed = response.stored(requestedScopes: token.scopes, by: self)
      // RFC 6749 § 6: a refresh can narrow the scopes, but a token without any would be of no use.
      if renewed.scopes.isEmpty { renewed.scopes = token.scopes }
      renewed.refreshToken = renewed.refreshToken ?? token.refreshToken
      renewed.requestedScopes = token.requestedScopes
      renewed.resources = token.resources
      // RFC 9396 § 7: what was granted stays, unless the server says otherwise.
      renewed.authorizationDetails = renewed.authorizationDetails ?? token.authorizationDetails
      // The one from the sign-in was verified; one that comes with a refresh was not.
      renewed.idToken = token.idToken
      return renewed
    } catch let error as RefusedGrant {
      throw OAuthError(
        .signInRequired, "\(server.name) no longer accepts the refresh token. Sign in again.",
        serverCode: error.reason.serverCode, serverDescription: error.reason.serverDescription)
    }
  }

  /// Requests an access token by a grant that needs no user, such as `client_credentials`
  /// ([RFC 6749 § 4.4](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.4)).
  ///
  /// Every call sends a request. A ``TokenSource`` that calls it is wrapped in ``CachingTokenSource``.
  ///
  /// - Parameter parameters: The parameters of the grant, `grant_type` included. The client's identifier and credentials are
  ///   added.
  /// - Returns: The access token. Its scopes are those of the parameter `scope` where the response names none.
  /// - Throws: ``OAuthError``; `TransportError`; `CancellationError`.
  public func requestAccessToken(_ parameters: FormFields) async throws -> AccessToken {
    let scopes = parameters["scope"]?.split(separator: " ").map(String.init) ?? []
    let response = try await requestToken(parameters, provenBy: try await makeProofKey())
    return AccessToken(response.stored(requestedScopes: scopes, by: self))
  }

  /// Makes sure that `token` was given to this client by its server: no other server may see it, and none would accept it from
  /// another client.
  ///
  /// A record that does not say whose it is belongs to no client: any server that a program is configured for would be sent its refresh
  /// token.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/issuerMismatch`` or ``OAuthError/Code/clientMismatch``.
  func checkOwner(of token: StoredToken) throws {
    guard let issuer = token.issuer else {
      throw OAuthError(
        .issuerMismatch,
        "The stored token does not name the server that gave it. Set the issuer of the record if that is known, or sign in again."
      )
    }
    guard issuer == server.issuer else {
      throw OAuthError(
        .issuerMismatch,
        "The stored token was given by \(OAuthError.printable(issuer, limit: 200)), which is not this client's server, \(server.name). Name another account, or sign in again."
      )
    }
    guard let clientID = token.clientID else {
      throw OAuthError(
        .clientMismatch,
        "The stored token does not name the client that it was given to. Set the client identifier of the record if that is known, or sign in again."
      )
    }
    guard clientID == registration.clientID else {
      throw OAuthError(
        .clientMismatch,
        "The stored token was given to the client \(OAuthError.printable(clientID, limit: 200)), not to \(OAuthError.printable(registration.clientID, limit: 200)). Use that client, name another account, or sign in again."
      )
    }
  }

  /// Whether `token` was given to this client by its server.
  func isOwner(of token: StoredToken) -> Bool {
    do { try checkOwner(of: token) } catch { return false }
    return true
  }

  /// Sends one request to the token endpoint.
  ///
  /// - Parameters:
  ///   - parameters: The parameters of the grant.
  ///   - key: The key that the tokens are bound to; `nil` for none.
  ///   - noticingRefusals: Whether a refusal of the grant itself is thrown as ``RefusedGrant``.
  func requestToken(
    _ parameters: FormFields, provenBy key: ProofKey?, noticingRefusals: Bool = false
  ) async throws -> TokenResponse {
    let response = try await post(
      parameters, to: server.tokenEndpoint, provenBy: key, noticingRefusals: noticingRefusals)
    var token = try TokenResponse(response, from: server, receivedAt: clock.now, quirks: provider.quirks)
    token.proofKey = key
    try await refuseOtherBinding(token)
    return token
  }

  /// Posts a form with the client's authentication, and a proof of the key if there is one.
  ///
  /// - Throws: ``OAuthError`` for an error in any form; what the client authentication and the transport throw.
  package func post(
    _ parameters: FormFields, to endpoint: URL, provenBy key: ProofKey? = nil, noticingRefusals: Bool = false,
    within limit: Duration? = nil
  ) async throws -> EndpointResponse {
    let key = try key.map(DPoPKey.init)
    var last: HTTPResponse?
    let (response, error) = try await sending.outcome(at: Origin(endpoint), isTakingTurns: key != nil) {
      let form = try await authenticated(parameters, to: endpoint)
      var request = form.httpRequest
      request.timeout = limit
      if let last { request.repeatAttempt(of: last) }
      if let key { request.fields["DPoP"] = try proofs.proof(for: request, accessToken: nil, by: key, now: clock.now) }
      let response = try await transport.send(request)
      last = response
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

  /// `nil` if the response is no OAuth error.
  init?(_ response: EndpointResponse, _ quirks: Provider.Quirks) {
    // A token in place of an error.
    guard response["access_token"] == nil else { return nil }
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
  /// The text or number to which names lead; `nil` if there is none.
  fileprivate func text(at names: [String]) -> String? {
    let value = names.reduce(Optional(self)) { $0?[$1] }
    return value?.string ?? value?.number?.text
  }
}

/// The server refused the grant itself, so that only a new sign-in helps.
private struct RefusedGrant: Error {
  let reason: OAuthError
}

extension EndpointResponse {
  /// The error that the response is, with any status and content; `nil` if it is a success.
  func oauthError(from endpoint: URL, _ quirks: Provider.Quirks, hiding secrets: [Secret]) -> OAuthError? {
    let errorResponse = ErrorResponse(self, quirks)
    // Some servers, GitHub among them, send their errors with status 200.
    guard !response.isSuccess || errorResponse != nil else { return nil }
    return OAuthError(errorResponse, status: response.status, from: endpoint, hiding: secrets.map { $0.reveal() })
  }
}

extension HTTPResponse {
  /// Whether the server refused the request without a reason, as some do for a refresh token they no longer know.
  fileprivate var isBareRefusal: Bool { [400, 401, 403].contains(status) && body.allSatisfy(\.isWhitespace) }
}

extension UInt8 {
  fileprivate var isWhitespace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension OAuthError {
  /// The codes by which servers refuse a grant: that of the specification, GitHub's own, and those of OpenID Connect Core
  /// § 3.1.2.6, which say that the user has to do something first.
  private static let refusedGrantCodes: Set = [
    "invalid_grant", "bad_refresh_token", "interaction_required", "consent_required", "login_required",
  ]

  fileprivate func isRefusedGrant(_ quirks: Provider.Quirks) -> Bool {
    code == .requestRejected && serverCode.map(Self.refusedGrantCodes.union(quirks.refusedGrantErrors).contains) == true
  }

  /// The error of a token or revocation endpoint, with any status and content.
  fileprivate init(_ errorResponse: ErrorResponse?, status: Int, from endpoint: URL, hiding secrets: [String]) {
    let description = errorResponse?.description
    let server = Origin(endpoint)?.description ?? "The authorization server"
    let unavailable = "\(server) failed for the moment (status \(status)). Try again later."
    switch errorResponse?.error {
    case "temporarily_unavailable", "server_error", "slow_down":
      self.init(
        .serverUnavailable, unavailable, serverCode: errorResponse?.error, serverDescription: description,
        hiding: secrets)
    case _ where HTTPResponse(status: status).isTransientFailure:
      self.init(
        .serverUnavailable, unavailable, serverCode: errorResponse?.error, serverDescription: description,
        hiding: secrets)
    case "invalid_client", "unauthorized_client":
      self.init(
        .requestRejected, "\(server) does not accept this client. Check its identifier, secret and authentication.",
        serverCode: errorResponse?.error, serverDescription: description, hiding: secrets)
    case let code?:
      self.init(
        .requestRejected, Self.withAdvice("\(server) refused the request", for: code), serverCode: code,
        serverDescription: description,
        hiding: secrets)
    case nil:
      self.init(.invalidResponse, "\(server) responded with status \(status) and without an OAuth error.")
    }
  }
}
