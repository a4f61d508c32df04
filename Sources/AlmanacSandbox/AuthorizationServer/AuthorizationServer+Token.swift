// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthScope
import Synchronization
import Timekeeping

extension AuthorizationServer {
  /// Handles a request to the token endpoint ([RFC 6749 § 3.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-3.2)).
  func tokenResponse(to request: HTTPRequest, at server: ServerProfile) async -> HTTPResponse {
    do {
      let issued = try issue(for: request, at: server)
      return .json(try await tokenResponse(issued, from: server))
    } catch let fault as OAuthFault {
      record(.tokenRequestRefused, detail(of: fault, in: request))
      return server.dialect.response(fault)
    } catch {
      return .oauthError(OAuthFault("server_error", "The ID token could not be signed."))
    }
  }

  private func detail(of fault: OAuthFault, in request: HTTPRequest) -> String {
    "\(fault.error): \(fault.description)"
  }

  /// Reads the form of a token or revocation request.
  func checkedForm(of request: HTTPRequest) throws(OAuthFault) -> Parameters {
    // RFC 6749 § 2.3.1: credentials must not be in the URL, where logs would record them. No other parameter is accepted there
    // either.
    guard request.queryParameters.isEmpty else { throw .invalidRequest("Parameters must be sent in the body.") }
    guard let form = request.form else {
      throw .invalidRequest("The body must be application/x-www-form-urlencoded.")
    }
    // RFC 8693 § 2.1, RFC 8707 § 2: these may be repeated.
    guard form.repeated.subtracting(["audience", "resource"]).isEmpty else {
      throw .invalidRequest("A parameter is repeated.")
    }
    return form
  }

  private func issue(
    for request: HTTPRequest, at server: ServerProfile
  ) throws(OAuthFault) -> GrantStore.Issued {
    let form = try checkedForm(of: request)
    let grantType = form["grant_type"]
    if grantType == "refresh_token" { log.countRefresh() }
    let client = try authenticatedClient(request, form, at: server)
    guard let grantType else { throw .invalidRequest("grant_type is missing.") }
    guard let grant = Self.grants[grantType], server.grantTypes?.contains(grantType) ?? true else {
      throw OAuthFault("unsupported_grant_type", "grant_type is not one of grant_types_supported.")
    }
    let resources = try resources(in: form, at: server)
    // The proof is checked before the grant: a rejected proof must not use up the grant.
    let keyThumbprint = server.knowsProofs ? try provenKey(of: request) : nil
    guard keyThumbprint != nil || !client.requiresBoundTokens else {
      throw .invalidProof("The client requires bound tokens. Send a DPoP proof.")
    }
    var issued = try grant(self, form, client, keyThumbprint, server)
    // RFC 8707 § 2.2: only resources that the user authorized.
    guard issued.grant.resources.isEmpty || Set(resources).isSubset(of: issued.grant.resources) else {
      throw OAuthFault("invalid_target", "The user did not authorize one of the resources.")
    }
    if !resources.isEmpty {
      issued.grant.resources = resources
      state.withLock { [issued] in
        $0.issued[server.realm, default: .init()].grants.restrict(issued.accessToken, to: resources)
      }
    }
    if !issued.grant.details.isEmpty { issued.members["authorization_details"] = .array(issued.grant.details) }
    return issued
  }

  typealias Grant =
    @Sendable (AuthorizationServer, Parameters, Client, _ keyThumbprint: String?, ServerProfile) throws(OAuthFault) ->
    GrantStore.Issued

  /// The handler of each grant type.
  static let grants: [String: Grant] = [
    "authorization_code": { (endpoints, form, client, key, server) throws(OAuthFault) in
      try endpoints.redeem(form, client, boundTo: key, at: server)
    },
    "refresh_token": { (endpoints, form, client, key, server) throws(OAuthFault) in
      try endpoints.refresh(form, client, boundTo: key, at: server)
    },
    "urn:ietf:params:oauth:grant-type:device_code": { (endpoints, form, client, key, server) throws(OAuthFault) in
      try endpoints.redeemDeviceCode(form, client, boundTo: key, at: server)
    },
    backchannelGrant: { (endpoints, form, client, key, server) throws(OAuthFault) in
      try endpoints.redeemBackchannelRequest(form, client, boundTo: key, at: server)
    },
    "client_credentials": { (endpoints, form, client, key, server) throws(OAuthFault) in
      try endpoints.issueForClient(form, client, boundTo: key, at: server)
    },
    "urn:ietf:params:oauth:grant-type:jwt-bearer": { (endpoints, form, client, key, server) throws(OAuthFault) in
      try endpoints.redeemAssertion(form, client, boundTo: key, at: server)
    },
    "urn:ietf:params:oauth:grant-type:token-exchange": { (endpoints, form, client, key, server) throws(OAuthFault) in
      try endpoints.exchange(form, client, boundTo: key, at: server)
    },
  ]

  /// Issues tokens for a grant without an authorization code.
  func issue(
    to client: Client, user: String? = nil, scopes: [Scope], boundTo keyThumbprint: String?, withRefreshToken: Bool,
    at server: ServerProfile
  ) -> GrantStore.Issued {
    let now = clock.now
    return state.withLock {
      $0.issued[server.realm, default: .init()].grants.issue(
        clientID: client.id, user: user, scopes: scopes, withRefreshToken: withRefreshToken,
        keyThumbprint: keyThumbprint,
        now: now,
        configuration: configuration)
    }
  }

  private func redeem(
    _ form: Parameters, _ client: Client, boundTo keyThumbprint: String?, at server: ServerProfile
  ) throws(OAuthFault) -> GrantStore.Issued {
    let verifier = server.dialect.checksPKCE ? form["code_verifier"] : nil
    guard let code = form["code"], let redirectURI = form["redirect_uri"],
      verifier != nil || !server.dialect.checksPKCE || !client.appFlipRedirects.isEmpty
        || client.googleBehaviors.contains(.optionalPKCE)
    else {
      throw .invalidRequest("code, redirect_uri and code_verifier are required.")
    }
    let now = clock.now
    let result = state.withLock { state in
      Result { () throws(GrantStore.Refusal) in
        try state.issued[server.realm, default: .init()].grants.redeem(
          code: code, clientID: client.id, redirectURI: redirectURI, verifier: verifier,
          keyThumbprint: keyThumbprint, now: now, configuration: configuration)
      }
    }
    switch result {
    case .success(let issued):
      record(.codeRedeemed, client: client.id, issued.grant.scopes.joined())
      return issued
    case .failure(let refusal):
      if case .replayed = refusal { record(.codeReplayed, client: client.id) }
      throw .invalidGrant("The code is unknown, expired, used, or was issued for another request.")
    }
  }

  private func refresh(
    _ form: Parameters, _ client: Client, boundTo keyThumbprint: String?, at server: ServerProfile
  ) throws(OAuthFault) -> GrantStore.Issued {
    guard server.dialect.refreshes else {
      throw OAuthFault("unsupported_grant_type", "Refresh tokens are not supported.")
    }
    guard let token = form["refresh_token"] else { throw .invalidRequest("refresh_token is required.") }
    let scopes = form["scope"].map { client.granted([Scope](parameter: $0)) }
    let now = clock.now
    let result = state.withLock { state in
      Result { () throws(GrantStore.Refusal) in
        try state.issued[server.realm, default: .init()].grants.refresh(
          token: token, clientID: client.id, scopes: scopes, keyThumbprint: keyThumbprint, now: now,
          configuration: configuration)
      }
    }
    switch result {
    case .success(let issued):
      record(.tokenRefreshed, client: client.id, issued.grant.scopes.joined())
      return issued
    case .failure(.scopeTooWide): throw .invalidScope("The scope exceeds the granted scope.")
    case .failure(let refusal):
      if case .replayed = refusal { record(.refreshTokenReused, client: client.id) }
      throw .invalidGrant("The refresh token is unknown, expired, revoked, or used.")
    }
  }

  private func tokenResponse(_ issued: GrantStore.Issued, from server: ServerProfile) async throws -> JSONValue {
    var members: [String: JSONValue] = [
      "access_token": .string(issued.accessToken),
      "expires_in": .integer(configuration.accessTokenLifetime.components.seconds),
    ]
    if let refreshToken = issued.refreshToken { members["refresh_token"] = .string(refreshToken) }
    server.dialect.write(issued.grant.scopes, into: &members)
    if issued.grant.keyThumbprint != nil { members["token_type"] = "DPoP" }
    if issued.grant.scopes.contains(.openID) {
      members["id_token"] = .string(try await idToken(for: issued, issuer: server.issuer))
    }
    return .object(members.merging(issued.members) { $1 })
  }
}
