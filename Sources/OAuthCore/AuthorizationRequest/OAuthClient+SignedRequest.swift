// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthJOSE
import Support
import Timekeeping

extension OAuthClient {
  /// Returns an authorization request as a signed object
  /// ([RFC 9101 § 4](https://www.rfc-editor.org/rfc/rfc9101.html#section-4)).
  func signed(_ parameters: FormFields, by signing: RequestSigning) throws -> FormFields {
    let algorithm = signing.key.algorithm.rawValue
    guard server.requestObjectSigningAlgValuesSupported?.contains(algorithm) ?? true else {
      throw OAuthError(
        .invalidConfiguration,
        "\(server.name) does not accept requests that are signed by \(algorithm). Use a key for one of its request_object_signing_alg_values_supported."
      )
    }
    let object = RequestObject(
      parameters: parameters, issuer: registration.clientID, audience: server.issuer,
      issuedAt: clock.now.secondsSince1970, expiresAt: (clock.now + signing.lifetime).secondsSince1970)
    // § 10.8.1: the type keeps it from being taken for another JWT of the same key.
    let text = try JWS.signed(object, with: signing.key, keyID: signing.keyID, type: "oauth-authz-req+jwt")
    // § 5: nothing else counts, and everything else would be in the browser's history.
    return ["client_id": registration.clientID, "request": text]
  }
}

/// The claims of a request object: the parameters, and what every signed statement needs.
private struct RequestObject: Encodable {
  let parameters: FormFields
  let issuer: String
  let audience: String
  let issuedAt: Int64
  let expiresAt: Int64

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MemberName.self)
    for name in Set(parameters.map(\.name)) {
      let values = parameters.values(for: name)
      if values.count > 1 {
        try container.encode(values, forKey: MemberName(name))
      } else {
        // § 4: JSON stays JSON, and numbers stay numbers.
        try container.encode(JSONParameter(name: name, text: values[0]), forKey: MemberName(name))
      }
    }
    try container.encode(issuer, forKey: "iss")
    try container.encode(audience, forKey: "aud")
    try container.encode(issuedAt, forKey: "iat")
    // § 10.2 and FAPI: a signed request has its time, and is used once.
    try container.encode(issuedAt, forKey: "nbf")
    try container.encode(expiresAt, forKey: "exp")
    try container.encode(randomToken(), forKey: "jti")
  }
}
