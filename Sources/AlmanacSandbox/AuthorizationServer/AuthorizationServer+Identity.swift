// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import OAuthScope
import Support
import Synchronization
import Timekeeping

/// A holder of the signing key of ID tokens, which it generates on first use.
///
/// Each sandbox has its own key. A sandbox therefore never accepts a token of another one, even of a deleted one.
actor SigningKeyHolder {
  private let algorithm: JWS.Algorithm
  private var task: Task<SigningKey, any Error>?

  init(algorithm: JWS.Algorithm) { self.algorithm = algorithm }

  /// Returns the key, or `nil` if none was requested yet.
  func madeKey() async throws -> SigningKey? { try await task?.value }

  func key() async throws -> SigningKey {
    let task =
      task
      ?? Task { [algorithm] in
        do {
          return try SigningKey.generate(algorithm)
        } catch {
          // RSA keys require a size, and take longer to generate.
          return try await SigningKey.generate(algorithm, bits: 2048)
        }
      }
    self.task = task
    do {
      return try await task.value
    } catch {
      self.task = nil
      throw error
    }
  }
}

extension AuthorizationServer {
  /// Returns a signed ID token ([OpenID Connect Core § 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken)).
  func idToken(for issued: GrantStore.Issued, issuer: String) async throws -> String {
    let key = try await signingKey.key()
    let now = clock.now
    var claims = userClaims(issued.grant, issuer: issuer)
    claims["iss"] = .string(issuer)
    claims["aud"] = .string(issued.grant.clientID)
    claims["azp"] = .string(issued.grant.clientID)
    claims["iat"] = .integer(now.secondsSince1970)
    claims["exp"] = .integer((now + configuration.idTokenLifetime).secondsSince1970)
    claims["auth_time"] = .integer(issued.grant.authenticatedAt.secondsSince1970)
    claims["sid"] = issued.grant.session.map { .string($0.id) }
    claims["acr"] = issued.grant.session?.contextClass.map { .string($0) }
    // § 3.1.3.6: the left half of the digest.
    claims["at_hash"] = key.algorithm.halfDigest(of: issued.accessToken).map { .string($0) }
    if let nonce = issued.grant.nonce { claims["nonce"] = .string(nonce) }
    return try JWS.sign(JSONValue.object(claims).json(), with: key, keyID: key.publicJWK.keyID)
  }

  private func userClaims(_ grant: GrantStore.Grant, issuer: String) -> [String: JSONValue] {
    let (user, scopes) = (configuration.user(of: grant), grant.scopes)
    var claims: [String: JSONValue] = ["sub": .string(user.subject)]
    let isGranted = { (scope: Scope) in scopes.contains { $0 == scope || $0 == OfferedScope.longNames[scope] } }
    if isGranted(.profile) {
      claims["name"] = .string(user.name)
      claims["given_name"] = .string(user.givenName)
      claims["family_name"] = .string(user.familyName)
      claims["locale"] = .string(user.locale)
      claims["picture"] = .string(user.picture ?? issuer + Path.picture)
    }
    if isGranted(.email) {
      claims["email"] = .string(user.email)
      claims["email_verified"] = true
    }
    return claims
  }

  /// Handles a request to the userinfo endpoint
  /// ([OpenID Connect Core § 5.3](https://openid.net/specs/openid-connect-core-1_0.html#UserInfo)).
  func userinfo(for request: HTTPRequest, issuer: String) async -> HTTPResponse {
    switch bearer(of: request, acceptsForm: true) {
    case .refused(let challenge, let error):
      return .json(
        .object(of: ["error": error.map { .string($0) }]), status: error == "invalid_request" ? 400 : 401,
        fields: [("WWW-Authenticate", challenge)])
    case .grant(let grant):
      guard grant.scopes.contains(.openID) else {
        return .json(
          ["error": "insufficient_scope"], status: 403,
          fields: [("WWW-Authenticate", challenge(for: request, error: "insufficient_scope", scope: "openid"))])
      }
      var claims = userClaims(grant, issuer: issuer)
      guard configuration.signsUserinfo else { return .json(.object(claims)) }
      // § 5.3.2.
      claims["iss"] = .string(issuer)
      claims["aud"] = .string(grant.clientID)
      guard let key = try? await signingKey.key(),
        let text = try? JWS.sign(JSONValue.object(claims).json(), with: key, keyID: key.publicJWK.keyID)
      else { return .oauthError(OAuthFault("server_error", "The profile could not be signed.")) }
      return HTTPResponse(
        status: 200, fields: HTTPFields(SecurityHeaders.common + [("Content-Type", "application/jwt")]),
        body: Array(text.utf8))
    }
  }

  func keySet() async -> HTTPResponse {
    guard let key = try? await signingKey.key().publicJWK else {
      return .oauthError(OAuthFault("server_error", "The signing key could not be generated."))
    }
    var members: [String: JSONValue] = key.parameters.mapValues { .string($0) }
    members["kty"] = .string(key.keyType.rawValue)
    members["kid"] = key.keyID.map { .string($0) }
    members["use"] = key.use.map { .string($0) }
    members["alg"] = key.algorithm.map { .string($0.rawValue) }
    return .json(["keys": [.object(members)]])
  }

  func picture() -> HTTPResponse {
    HTTPResponse(
      status: 200, fields: HTTPFields(SecurityHeaders.common + [("Content-Type", "image/png")]), body: Avatar.png)
  }
}
