// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthJOSE
import PlatformFoundation
import Support
import Timekeeping
import TokenStore

/// The claims of an assertion for one request
/// ([RFC 7523 § 3](https://www.rfc-editor.org/rfc/rfc7523.html#section-3)).
struct JWTAssertion: Encodable {
  var issuer: String
  var subject: String
  var audience: String
  /// Further claims, all of them strings.
  var claims: [String: String] = [:]
  private var issuedAt: Int64
  private var expiresAt: Int64
  private let identifier = randomToken()

  /// Creates the claims of a single-use assertion issued at `time`.
  init(issuer: String, subject: String, audience: String, at time: Timestamp, lifetime: Duration) {
    self.issuer = issuer
    self.subject = subject
    self.audience = audience
    issuedAt = time.secondsSince1970
    expiresAt = (time + lifetime).secondsSince1970
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MemberName.self)
    for (name, value) in claims { try container.encode(value, forKey: MemberName(name)) }
    try container.encode(issuer, forKey: "iss")
    try container.encode(subject, forKey: "sub")
    try container.encode(audience, forKey: "aud")
    try container.encode(issuedAt, forKey: "iat")
    try container.encode(expiresAt, forKey: "exp")
    try container.encode(identifier, forKey: "jti")
  }

  /// Returns the assertion as a compact JWS.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the key cannot sign.
  func signed(with key: any JWSSigningKey, keyID: String?) throws -> Secret {
    Secret(try JWS.signed(self, with: key, keyID: keyID))
  }
}

extension JWS {
  /// Signs claims and returns the compact form.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the key cannot sign.
  static func signed(
    _ claims: some Encodable, with key: any JWSSigningKey, keyID: String?, type: String = "JWT"
  ) throws -> String {
    do {
      return try sign(JSONText.encode(claims), with: key, keyID: keyID, type: type)
    } catch let error as JOSEError {
      throw OAuthError(.invalidConfiguration, "The request cannot be signed: \(error.message)")
    }
  }
}

/// The audience (`aud`) of a client's signed assertion
/// ([RFC 7523 § 3](https://www.rfc-editor.org/rfc/rfc7523.html#section-3)).
public enum AssertionAudience: Sendable, Hashable {
  /// The issuer identifier.
  ///
  /// An assertion with this audience cannot be used at another server.
  case issuer
  /// The URL of the token endpoint, for requests to all endpoints.
  case tokenEndpoint
  /// A value defined by the server.
  case custom(String)

  /// Returns the value of `aud` for a server.
  func name(of server: ServerMetadata) -> String {
    switch self {
    case .issuer: server.issuer
    case .tokenEndpoint: server.tokenEndpoint.absoluteString
    case .custom(let name): name
    }
  }
}

extension TokenRequest {
  /// Authenticates the client with an assertion for this request
  /// ([RFC 7523 § 2.2](https://www.rfc-editor.org/rfc/rfc7523.html#section-2.2)).
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the server does not accept the key's
  ///   algorithm, or the key cannot sign.
  mutating func setAssertion(
    signedBy key: any JWSSigningKey, keyID: String?, audience: AssertionAudience?, lifetime: Duration
  ) throws {
    let supported = provider.server.tokenEndpointAuthSigningAlgValuesSupported
    guard supported?.contains(key.algorithm.rawValue) ?? true else {
      throw OAuthError(
        .invalidConfiguration,
        "\(provider.server.name) does not accept client assertions signed with \(key.algorithm.rawValue). Use a key for one of its token_endpoint_auth_signing_alg_values_supported."
      )
    }
    let assertion = try JWTAssertion(
      issuer: clientID, subject: clientID,
      audience: (audience ?? provider.quirks.assertionAudience).name(of: provider.server), at: time, lifetime: lifetime
    ).signed(with: key, keyID: keyID)
    parameters["client_id"] = clientID
    parameters["client_assertion_type"] = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    parameters["client_assertion"] = assertion.reveal()
    secrets.append(assertion)
  }
}
