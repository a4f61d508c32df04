// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthCore
public import Timekeeping

/// A verified logout token, which names the sessions to end
/// ([OpenID Connect Back-Channel Logout § 2.4](https://openid.net/specs/openid-connect-backchannel-1_0.html#LogoutToken)).
///
/// It has a ``subject``, a ``sessionID``, or both.
public struct LogoutToken: Sendable, Hashable {
  /// The issuer of the token, `iss`.
  public let issuer: String
  /// The identifier of the user to sign out, `sub`, or `nil` if the token names only a session.
  public let subject: String?
  /// The identifier of the session to end, `sid`, or `nil` for all sessions of the user.
  public let sessionID: String?
  /// The time of issue, `iat`.
  public let issuedAt: Timestamp
  /// The unique identifier of the token, `jti`.
  public let identifier: String
  let audience: [String]
  let expiresAt: Timestamp?

  /// Decodes the payload of a token whose signature was verified.
  ///
  /// - Throws: `OAuthError` with code `invalidResponse`.
  init(payload: [UInt8]) throws {
    guard let value = try? JSONValue(json: payload, requiringUniqueNames: true), let claims = JSONMembers(value) else {
      throw OAuthError(.invalidResponse, "The logout token's claims are not a JSON object with unique names.")
    }
    try ServerLimits.check(claims: claims.values, of: "logout token")
    do throws(JSONMembers.Mismatch) {
      issuer = try claims.required("iss", \.string)
      audience = try claims.required("aud", \.audience)
      issuedAt = try claims.required("iat", \.date)
      identifier = try claims.required("jti", \.string)
      expiresAt = try claims.optional("exp", \.date)
      subject = try claims.optional("sub", \.string)
      sessionID = try claims.optional("sid", \.string)
    } catch {
      throw OAuthError(
        .invalidResponse,
        "The logout token's claim \(error.name) is missing or of another type. Required are iss, aud, iat and jti.")
    }
    guard !identifier.isEmpty, subject != "", sessionID != "", subject != nil || sessionID != nil else {
      throw OAuthError(.invalidResponse, "The logout token names neither a user nor a session, or has an empty claim.")
    }
    // § 2.4: an object, which should be empty.
    guard claims.values["events"]?["http://schemas.openid.net/event/backchannel-logout"]?.object != nil else {
      throw OAuthError(.invalidResponse, "The logout token contains no logout event.")
    }
    // § 2.4: a nonce is not allowed, which distinguishes logout tokens from ID tokens.
    guard claims.values["nonce"] == nil else {
      throw OAuthError(.invalidResponse, "The logout token contains a nonce, which only ID tokens have.")
    }
  }
}
