// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import PlatformFoundation
import Support
import Synchronization
import Timekeeping
import TokenStore

/// Google's token endpoint ([service accounts](https://developers.google.com/identity/protocols/oauth2/service-account)).
extension GoogleCloudSandbox {
  /// The audience of assertions for the endpoint.
  static let tokenAudience = "https://oauth2.googleapis.com/token"

  func tokenResponse(to request: HTTPRequest, sentTo url: URL) async -> HTTPResponse {
    await formResponse(to: request) { form in
      switch form["grant_type"] {
      case "urn:ietf:params:oauth:grant-type:jwt-bearer": return try await redeemAssertion(form, sentTo: url)
      case "refresh_token": return try refresh(form)
      default: throw OAuthFault("unsupported_grant_type", "Invalid grant_type.")
      }
    }
  }

  /// Returns the response to a form: its members, or their fault.
  func formResponse(
    to request: HTTPRequest, _ members: (Parameters) async throws -> [String: JSONValue]
  ) async -> HTTPResponse {
    do {
      guard let form = request.form, request.queryParameters.isEmpty, form.repeated.isEmpty else {
        throw OAuthFault.invalidRequest("The body must be a form without repeated parameters.")
      }
      return .json(.object(try await members(form)))
    } catch let fault as OAuthFault {
      return .oauthError(fault)
    } catch {
      return .oauthError(OAuthFault("server_error", "The ID token could not be signed."))
    }
  }

  private func redeemAssertion(_ form: Parameters, sentTo url: URL) async throws -> [String: JSONValue] {
    guard let text = form["assertion"], let jws = try? JWS(compact: text) else {
      throw OAuthFault.invalidRequest("assertion is not a signed JWT.")
    }
    let (account, claims) = try await signer(of: jws)
    try checkTimes(claims)
    // Some clients always use Google's endpoint as the audience, others use the one in the key file.
    guard [Self.tokenAudience, url.absoluteString].contains(claims["aud"]?.string) else {
      throw OAuthFault.invalidGrant("Invalid JWT: Failed audience check.")
    }
    let subject = claims["sub"]?.string
    guard subject == nil || subject == account.email || account.delegators.contains(subject ?? "") else {
      throw OAuthFault("unauthorized_client", "Client is unauthorized to retrieve access tokens using this method.")
    }
    if let audience = claims["target_audience"]?.string {
      guard claims["scope"] == nil else {
        throw OAuthFault.invalidRequest("scope and target_audience cannot be sent together.")
      }
      return ["id_token": .string(try await idToken(for: audience, of: account.email))]
    }
    let scopes = claims["scope"]?.string.map { [Scope](parameter: $0) } ?? []
    guard !scopes.isEmpty else {
      throw OAuthFault.invalidScope("Invalid OAuth scope or ID token audience provided.")
    }
    return issue(principal: account.email, subject: subject == account.email ? nil : subject, scopes: scopes)
  }

  /// Returns the account that signed an assertion with RS256, and the claims.
  ///
  /// The header must name the key.
  private func signer(of jws: JWS) async throws -> (ServiceAccount, [String: JSONValue]) {
    // Google's key for an account is generated when it first signs.
    let held = try await accountKey.madeKey().map { [$0.publicJWK] } ?? []
    for account in configuration.serviceAccounts where jws.header.keyID != nil {
      let keys = JWKSet(account.keys.keys + held)
      if let payload = try? jws.payload(verifiedWith: keys, allowing: [.rs256]),
        let claims = JSONValue.members(of: payload), claims["iss"] == .string(account.email)
      {
        return (account, claims)
      }
    }
    throw OAuthFault.invalidGrant("Invalid JWT Signature.")
  }

  private func checkTimes(_ claims: [String: JSONValue]) throws(OAuthFault) {
    func time(_ name: String) -> Timestamp? {
      claims[name]?.number?.integer.map { Timestamp(secondsSince1970: Int64($0)) }
    }
    guard let issued = time("iat"), let expires = time("exp"), expires - issued <= .seconds(3600), clock.now < expires,
      issued <= clock.now + .seconds(300)
    else {
      throw .invalidGrant(
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values."
      )
    }
  }

  private func refresh(_ form: Parameters) throws(OAuthFault) -> [String: JSONValue] {
    guard let id = form["client_id"], let secret = form["client_secret"] else {
      throw .invalidRequest("client_id and client_secret are required.")
    }
    return try refresh(
      form, clientID: id, secret: secret, of: configuration.users.filter { $0.identityProvider == nil })
  }

  /// Returns the response to a refresh by one of the users of an endpoint.
  func refresh(
    _ form: Parameters, clientID id: String, secret: String, of users: [User]
  ) throws(OAuthFault) -> [String: JSONValue] {
    guard let token = form["refresh_token"] else { throw .invalidRequest("refresh_token is required.") }
    guard users.contains(where: { $0.clientID == id && $0.clientSecret == Secret(secret) }) else {
      throw .invalidClient("The OAuth client was not found.")
    }
    guard let user = users.first(where: { $0.clientID == id && $0.refreshToken == Secret(token) }) else {
      throw .invalidGrant("Token has been expired or revoked.")
    }
    let pool = user.identityProvider
    var members = issue(
      principal: pool.map { Self.principal(user.email, at: $0) } ?? user.email, scopes: user.scopes)
    members["scope"] = .string(user.scopes.joined())
    return members
  }

  /// Issues an access token and returns the members of the response.
  func issue(principal: String, subject: String? = nil, scopes: [Scope]) -> [String: JSONValue] {
    let token = newAccessToken(
      principal: principal, subject: subject, scopes: scopes, lifetime: configuration.tokenLifetime)
    return [
      "access_token": .string(token), "token_type": "Bearer",
      "expires_in": .integer(configuration.tokenLifetime.components.seconds),
    ]
  }

  func newAccessToken(principal: String, subject: String? = nil, scopes: [Scope], lifetime: Duration) -> String {
    let token = "ya29." + randomToken()
    let identity = Identity(
      principal: principal, subject: subject, scopes: scopes, expiresAt: clock.now + lifetime)
    state.withLock { $0.accessTokens[SecretDigest(of: token)] = identity }
    return token
  }
}

extension GoogleCloudSandbox {
  /// Returns a signed ID token of a service account.
  func idToken(for audience: String, of email: String) async throws -> String {
    let key = try await signingKey.key()
    let now = clock.now
    let claims: JSONValue = [
      "iss": "https://accounts.google.com", "aud": .string(audience), "azp": .string(email), "sub": .string(email),
      "email": .string(email), "email_verified": true, "iat": .integer(now.secondsSince1970),
      "exp": .integer((now + .seconds(3600)).secondsSince1970),
    ]
    return try JWS.sign(claims.json(), with: key, keyID: key.publicJWK.keyID)
  }

  /// Returns the token of a request's `Authorization` field, whose scheme must be `Bearer` in this case.
  static func bearerToken(of request: HTTPRequest) -> String? {
    guard let value = request.fields["Authorization"], value.hasPrefix("Bearer ") else { return nil }
    return String(value.dropFirst("Bearer ".count))
  }

  /// Returns the response of a Cloud Run service with authentication: the caller's e-mail address.
  func serviceResponse(to request: HTTPRequest, service: String) async -> HTTPResponse {
    guard let token = Self.bearerToken(of: request) else {
      return .json(["error": "Your client does not have permission to get this URL."], status: 403)
    }
    guard let claims = await verifiedClaims(token, service: service) else {
      return .json(
        ["error": "The access token could not be verified."], status: 401,
        fields: [("WWW-Authenticate", #"Bearer error="invalid_token""#)])
    }
    return .json(["email": claims["email"] ?? .null])
  }

  private func verifiedClaims(_ token: String, service: String) async -> [String: JSONValue]? {
    guard let key = try? await signingKey.key(), let jws = try? JWS(compact: token),
      // A set also compares the header's `kid`, if there is one. Another sandbox has another key.
      let payload = try? jws.payload(verifiedWith: JWKSet([key.publicJWK]), allowing: [key.algorithm]),
      let claims = JSONValue.members(of: payload), claims["aud"] == .string(service),
      claims["iss"] == "https://accounts.google.com", let expires = claims["exp"]?.number?.integer,
      clock.now < Timestamp(secondsSince1970: Int64(expires))
    else { return nil }
    return claims
  }
}
