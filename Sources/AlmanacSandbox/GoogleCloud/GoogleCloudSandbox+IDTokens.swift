// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import Timekeeping

extension GoogleCloudSandbox {
  /// Signs an ID token of a service account.
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

  /// A service on Cloud Run that requires authentication: it responds with the caller's e-mail address.
  func serviceResponse(to request: HTTPRequest, service: String) async -> HTTPResponse {
    guard let value = request.fields["Authorization"], value.hasPrefix("Bearer ") else {
      return .json(["error": "Your client does not have permission to get this URL."], status: 403)
    }
    guard let claims = await verifiedClaims(String(value.dropFirst("Bearer ".count)), service: service) else {
      return .json(
        ["error": "The access token could not be verified."], status: 401,
        fields: [("WWW-Authenticate", #"Bearer error="invalid_token""#)])
    }
    return .json(["email": claims["email"] ?? .null])
  }

  private func verifiedClaims(_ token: String, service: String) async -> [String: JSONValue]? {
    guard let key = try? await signingKey.key(), let jws = try? JWS(compact: token),
      let payload = try? jws.payload(verifiedWith: key.publicJWK, allowing: [key.algorithm]),
      let claims = JSONValue.members(of: payload), claims["aud"] == .string(service),
      claims["iss"] == "https://accounts.google.com", let expires = claims["exp"]?.number?.integer,
      clock.now < Timestamp(secondsSince1970: Int64(expires))
    else { return nil }
    return claims
  }
}
