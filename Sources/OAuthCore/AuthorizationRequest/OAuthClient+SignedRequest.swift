// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
public import OAuthJOSE
import Support
import Timekeeping

extension OAuthClient {
  /// Returns an authorization request as a signed request object
  /// ([RFC 9101 § 4](https://www.rfc-editor.org/rfc/rfc9101.html#section-4)).
  func signed(_ parameters: FormFields, by signing: RequestSigning) throws -> FormFields {
    let algorithm = signing.key.algorithm.rawValue
    guard server.requestObjectSigningAlgValuesSupported?.contains(algorithm) ?? true else {
      throw OAuthError(
        .invalidConfiguration,
        "\(server.name) does not accept requests signed with \(algorithm). Use a key for one of its request_object_signing_alg_values_supported."
      )
    }
    let object = RequestObject(
      parameters: parameters, issuer: registration.clientID, audience: server.issuer,
      issuedAt: clock.now.secondsSince1970, expiresAt: (clock.now + signing.lifetime).secondsSince1970)
    // § 10.8.1: the type prevents confusion with other JWTs signed with the same key.
    let text = try JWS.signed(object, with: signing.key, keyID: signing.keyID, type: "oauth-authz-req+jwt")
    // § 5: the server ignores other parameters, and they would be visible in the browser's history.
    return ["client_id": registration.clientID, "request": text]
  }
}

/// The claims of a request object: the parameters and the registered claims of a JWT.
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
        // § 4: JSON parameters are members in JSON form, and numbers are JSON numbers.
        try container.encode(JSONParameter(name: name, text: values[0]), forKey: MemberName(name))
      }
    }
    try container.encode(issuer, forKey: "iss")
    try container.encode(audience, forKey: "aud")
    try container.encode(issuedAt, forKey: "iat")
    // § 10.2 and FAPI: a signed request has a limited lifetime and is used once.
    try container.encode(issuedAt, forKey: "nbf")
    try container.encode(expiresAt, forKey: "exp")
    try container.encode(randomToken(), forKey: "jti")
  }
}

/// The key and lifetime for signed authorization requests
/// ([RFC 9101](https://www.rfc-editor.org/rfc/rfc9101.html)).
///
/// ```swift
/// var registration = ClientRegistration(clientID: id, authentication: .privateKeyJWT(key))
/// registration.requestSigning = RequestSigning(key)
/// ```
public struct RequestSigning: Sendable {
  let key: any JWSSigningKey
  let keyID: String?
  let lifetime: Duration

  /// Creates a value with a key known to the server by the identifier of its public key.
  ///
  /// - Parameters:
  ///   - key: The private key.
  ///   - lifetime: The lifetime of a signed request. Defaults to five minutes.
  public init(_ key: SigningKey, lifetime: Duration = .seconds(300)) {
    self.init(key, keyID: key.publicJWK.keyID, lifetime: lifetime)
  }

  /// Creates a value with a key, possibly stored externally, such as in a hardware module.
  ///
  /// - Parameters:
  ///   - key: The private key.
  ///   - keyID: The identifier of the public key at the server, `kid`.
  ///   - lifetime: The lifetime of a signed request. Defaults to five minutes.
  public init(_ key: some JWSSigningKey, keyID: String?, lifetime: Duration = .seconds(300)) {
    self.key = key
    self.keyID = keyID
    self.lifetime = lifetime
  }
}

/// A request parameter as a member of a JSON object
/// ([RFC 9101 § 4](https://www.rfc-editor.org/rfc/rfc9101.html#section-4)).
struct JSONParameter: Encodable {
  let name: String
  let text: String

  private static let numbers: Set = ["max_age"]
  private static let structured: Set = ["authorization_details", "claims"]

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if Self.numbers.contains(name), let number = Int64(text) {
      try container.encode(number)
    } else if Self.structured.contains(name), let value = try? JSONValue(json: Array(text.utf8)) {
      try container.encode(value)
    } else {
      try container.encode(text)
    }
  }
}
