// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Support
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The claims of an assertion that is signed for one request
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

  /// Creates the claims of an assertion that is issued at `time`, and used once.
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
  /// Signs claims, and returns the compact form.
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
