// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthCore
import OAuthJOSE
public import Timekeeping
package import TokenStore

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
  /// When the user authenticated at the issuer, `auth_time`; `nil` if the issuer did not say.
  public let authenticatedAt: Timestamp?
  /// The class of the user's authentication, `acr`; `nil` if the issuer did not say.
  public let authenticationContextClass: String?
  /// The methods of the user's authentication, `amr`, such as `pwd` and `otp`.
  public let authenticationMethods: [String]
  /// The session at the issuer, `sid`, which a request to sign out may name.
  ///
  /// Keep it with a session of your own, as ``BackChannelLogout`` and ``FrontChannelLogout`` describe.
  public let sessionID: String?
  /// Who the user is, as far as the scopes that were granted tell.
  public let profile: UserProfile
  let notBefore: Timestamp?
  let nonce: String?
  let authorizedParty: String?
  let accessTokenHash: String?
  let codeHash: String?

  /// Reads the payload of a token whose signature was verified.
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
        "The ID token's claim \(error.name) is missing or of another type; iss, sub, aud, exp and iat are required.")
    }
    // What is of the wrong type here was not said; where it is required, that is refused later.
    authenticatedAt = claims.values["auth_time"]?.date
    authenticationContextClass = claims.values["acr"]?.string
    authenticationMethods = claims.values["amr"]?.strings ?? []
    sessionID = claims.values["sid"]?.string
    profile = UserProfile(subject: subject, claims: claims.values)
    guard !subject.isEmpty else {
      throw OAuthError(.invalidResponse, "The ID token's subject is empty.")
    }
  }

  private static func claims(of payload: [UInt8]) throws(OAuthError) -> JSONMembers {
    do throws(JSONParseError) {
      let value = try JSONValue(json: payload, requiringUniqueNames: true)
      if let claims = JSONMembers(value) { return claims }
    } catch {
      // RFC 7519 § 4: of two claims of one name, another reader may use the other.
      if error.reason == .repeatedName { throw OAuthError(.invalidResponse, "The ID token names a claim twice.") }
    }
    throw OAuthError(.invalidResponse, "The ID token's claims are not a JSON object.")
  }
}

extension IDTokenClaims {
  /// The e-mail address, if the scope `email` was granted.
  public var email: String? { profile.email }
  /// Whether the issuer made sure that the e-mail address is the user's.
  ///
  /// An address that is not verified does not identify the user.
  public var emailVerified: Bool { profile.emailVerified ?? false }
  /// The whole name, if the scope `profile` was granted.
  public var name: String? { profile.name }
}

extension IDTokenClaims {
  /// The subject of an ID token that was verified when it was stored.
  package static func subject(ofVerified idToken: Secret) -> String? {
    let parts = idToken.reveal().split(separator: ".")
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else { return nil }
    return try? IDTokenClaims(payload: payload).subject
  }
}

/// What claims of a JWT hold ([RFC 7519 § 4.1](https://www.rfc-editor.org/rfc/rfc7519.html#section-4.1)).
extension JSONValue {
  /// Seconds since 1970 with any fraction, limited to what fits into a duration.
  var date: Timestamp? {
    guard let seconds = number?.double, seconds.isFinite else { return nil }
    return .unixEpoch + .seconds(Swift.min(Swift.max(seconds, -1e11), 1e12))
  }

  /// One recipient, or a list of them.
  var audience: [String]? { string.map { [$0] } ?? strings }
}
