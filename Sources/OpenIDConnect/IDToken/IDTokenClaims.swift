// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthCore
import OAuthJOSE
public import Timekeeping
package import TokenStore

/// The claims of a verified ID token ([OpenID Connect Core § 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken)).
public struct IDTokenClaims: Sendable, Hashable {
  /// The issuer of the token, `iss`.
  public let issuer: String
  /// The user's identifier at the issuer, `sub`.
  public let subject: String
  /// The clients the token is for, `aud`.
  public let audience: [String]
  /// The expiry of the token, `exp`.
  public let expiresAt: Timestamp
  /// The time of issue, `iat`.
  public let issuedAt: Timestamp
  /// The time of the user's authentication at the issuer, `auth_time`, or `nil` if the issuer omitted it.
  public let authenticatedAt: Timestamp?
  /// The authentication context class, `acr`, or `nil` if the issuer omitted it.
  public let authenticationContextClass: String?
  /// The methods of the user's authentication, `amr`, such as `pwd` and `otp`.
  public let authenticationMethods: [String]
  /// The identifier of the session at the issuer, `sid`, which a logout request can contain.
  ///
  /// Store it with your own session. See ``BackChannelLogout`` and ``FrontChannelLogout``.
  public let sessionID: String?
  /// The user's profile, as far as the granted scopes allow.
  public let profile: UserProfile
  let notBefore: Timestamp?
  let nonce: String?
  let authorizedParty: String?
  let accessTokenHash: String?
  let codeHash: String?

  /// Decodes the payload of a token whose signature was verified.
  ///
  /// - Throws: ``OAuthError`` with code `invalidResponse`.
  init(payload: [UInt8]) throws {
    let claims = try Self.claims(of: payload)
    do throws(JSONMembers.Mismatch) {
      issuer = try claims.required("iss", \.string)
      subject = try claims.required("sub", \.string)
      audience = try claims.required("aud", \.audience)
      expiresAt = try claims.required("exp", \.date)
      issuedAt = try claims.required("iat", \.date)
      notBefore = try claims.optional("nbf", \.date)
      nonce = try claims.optional("nonce", \.string)
      authorizedParty = try claims.optional("azp", \.string)
      accessTokenHash = try claims.optional("at_hash", \.string)
      codeHash = try claims.optional("c_hash", \.string)
    } catch {
      throw OAuthError(
        .invalidResponse,
        "The ID token's claim \(error.name) is missing or of another type. Required are iss, sub, aud, exp and iat.")
    }
    // A malformed optional claim is decoded as missing. If it is required, verification fails later.
    // The claims above are compared with expected values, so an empty one fails the comparison.
    let optional = JSONValue.object(claims.values).withoutAbsentMembers
    authenticatedAt = optional["auth_time"]?.date.flatMap { $0 == .unixEpoch ? nil : $0 }
    authenticationContextClass = optional["acr"]?.string
    authenticationMethods = optional["amr"]?.strings ?? []
    sessionID = optional["sid"]?.string
    profile = UserProfile(subject: subject, claims: claims.values)
    guard !subject.isEmpty else {
      throw OAuthError(.invalidResponse, "The ID token's subject is empty.")
    }
  }

  private static func claims(of payload: [UInt8]) throws -> JSONMembers {
    do {
      let value = try JSONValue(json: payload, requiringUniqueNames: true)
      if let claims = JSONMembers(value) {
        try ServerLimits.check(claims: claims.values, of: "ID token")
        return claims
      }
    } catch let error as JSONParseError {
      // RFC 7519 § 4: another parser may use the other one of two claims with the same name.
      if error.reason == .repeatedName { throw OAuthError(.invalidResponse, "The ID token has a duplicate claim.") }
    }
    throw OAuthError(.invalidResponse, "The ID token's claims are not a JSON object.")
  }
}

extension IDTokenClaims {
  /// The user's e-mail address, if the scope `email` was granted.
  public var email: String? { profile.email }
  /// Whether the issuer has verified that the e-mail address belongs to the user.
  ///
  /// An unverified address does not identify the user.
  public var isEmailVerified: Bool { profile.isEmailVerified ?? false }
  /// The user's full name, if the scope `profile` was granted.
  public var name: String? { profile.name }
}

extension IDTokenClaims {
  /// Returns the subject of an ID token verified before it was stored.
  package static func subject(ofVerified idToken: Secret) -> String? {
    let parts = idToken.reveal().split(ascii: ".")
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else { return nil }
    return try? IDTokenClaims(payload: payload).subject
  }
}

/// The values of JWT claims ([RFC 7519 § 4.1](https://www.rfc-editor.org/rfc/rfc7519.html#section-4.1)).
extension JSONValue {
  /// The number as seconds since 1970, with an optional fraction, limited to the range of a duration.
  var date: Timestamp? {
    guard let seconds = number?.double, seconds.isFinite else { return nil }
    return .unixEpoch + .seconds(Swift.min(Swift.max(seconds, -1e11), 1e12))
  }

  /// The audience, from a string or an array of strings.
  var audience: [String]? { string.map { [$0] } ?? strings }
}
