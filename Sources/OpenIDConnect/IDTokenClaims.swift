// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import OAuthJOSE
public import Timekeeping
package import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a verified ID token says ([OpenID Connect Core § 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken)).
public struct IDTokenClaims: Sendable, Hashable {
  /// Who signed the token.
  public let issuer: String
  /// The user's identifier at the issuer.
  public let subject: String
  /// The clients the token is for.
  public let audience: [String]
  /// When the token expires.
  public let expiresAt: Timestamp
  /// When the token was signed.
  public let issuedAt: Timestamp
  /// The e-mail address, if the scope `email` was granted.
  public let email: String?
  /// Whether the issuer made sure that the URL is the user's.
  ///
  /// A URL that is not verified does not identify the user.
  public let emailVerified: Bool
  /// The whole name, if the scope `profile` was granted.
  public let name: String?
  let notBefore: Timestamp?
  let nonce: String?
  let authorizedParty: String?
  let accessTokenHash: String?
  let codeHash: String?

  /// Reads the payload of a token whose signature was verified.
  ///
  /// - Throws: ``OAuthError`` with code `invalidResponse`.
  init(payload: [UInt8]) throws {
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(payload)) else {
      throw OAuthError(.invalidResponse, "The ID token lacks one of the claims iss, sub, aud, exp and iat.")
    }
    // RFC 7519 § 4: of two claims of one name, another reader may use the other.
    guard JSONMembers.areUnique(in: payload) else {
      throw OAuthError(.invalidResponse, "The ID token names a claim twice.")
    }
    guard !content.sub.isEmpty else {
      throw OAuthError(.invalidResponse, "The ID token's subject is empty.")
    }
    issuer = content.iss
    subject = content.sub
    audience = content.aud.values
    expiresAt = .unixEpoch + .seconds(content.exp.clamped)
    issuedAt = .unixEpoch + .seconds(content.iat.clamped)
    notBefore = content.nbf.map { .unixEpoch + .seconds($0.clamped) }
    email = content.email
    emailVerified = content.emailVerified
    name = content.name
    nonce = content.nonce
    authorizedParty = content.azp
    accessTokenHash = content.atHash
    codeHash = content.cHash
  }

  private struct Content: Decodable {
    let iss: String
    let sub: String
    let aud: Audience
    let exp: Double
    let iat: Double
    let nbf: Double?
    let nonce: String?
    let azp: String?
    let atHash: String?
    let cHash: String?
    let email: String?
    let emailVerified: Bool
    let name: String?

    enum CodingKeys: String, CodingKey {
      case iss, sub, aud, exp, iat, nbf, nonce, azp, email, name
      case atHash = "at_hash"
      case cHash = "c_hash"
      case emailVerified = "email_verified"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      iss = try container.decode(String.self, forKey: .iss)
      sub = try container.decode(String.self, forKey: .sub)
      aud = try container.decode(Audience.self, forKey: .aud)
      exp = try container.decode(Double.self, forKey: .exp)
      iat = try container.decode(Double.self, forKey: .iat)
      nbf = try container.decodeIfPresent(Double.self, forKey: .nbf)
      nonce = try container.decodeIfPresent(String.self, forKey: .nonce)
      azp = try container.decodeIfPresent(String.self, forKey: .azp)
      atHash = try container.decodeIfPresent(String.self, forKey: .atHash)
      cHash = try container.decodeIfPresent(String.self, forKey: .cHash)
      // What only describes the user may be odd without making the token wrong.
      email = try? container.decodeIfPresent(String.self, forKey: .email)
      emailVerified = (try? container.decodeIfPresent(Bool.self, forKey: .emailVerified)) ?? false
      name = try? container.decodeIfPresent(String.self, forKey: .name)
    }
  }

  /// One client, or a list of them.
  private struct Audience: Decodable {
    let values: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      values = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
    }
  }
}

extension IDTokenClaims {
  /// The subject of an ID token that was verified when it was stored.
  package static func subject(ofVerified idToken: Secret) -> String? {
    let parts = idToken.reveal().split(separator: ".")
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else { return nil }
    return try? IDTokenClaims(payload: payload).subject
  }
}

extension Double {
  /// Seconds, limited to what fits into a duration.
  fileprivate var clamped: Double { isNaN ? 0 : Swift.min(Swift.max(self, -1e11), 1e12) }
}
