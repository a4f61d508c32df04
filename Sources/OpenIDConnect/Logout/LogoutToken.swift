// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthCore
public import Timekeeping

/// What a verified logout token says: whose sessions end
/// ([OpenID Connect Back-Channel Logout § 2.4](https://openid.net/specs/openid-connect-backchannel-1_0.html#LogoutToken)).
///
/// There is a ``subject``, a ``sessionID``, or both.
public struct LogoutToken: Sendable, Hashable {
  /// Who signed the token.
  public let issuer: String
  /// The user who is signed out; `nil` if only the session is named.
  public let subject: String?
  /// The session that ends; `nil` for every session of the user.
  public let sessionID: String?
  /// When the token was signed.
  public let issuedAt: Timestamp
  /// The token's own identifier.
  public let identifier: String
  let audience: [String]
  let expiresAt: Timestamp?

  /// Reads the payload of a token whose signature was verified.
  ///
  /// - Throws: `OAuthError` with code `invalidResponse`.
  init(payload: [UInt8]) throws {
    guard let value = try? JSONValue(json: payload, requiringUniqueNames: true), let claims = JSONMembers(value) else {
      throw OAuthError(.invalidResponse, "The logout token's claims are not a JSON object of different names.")
    }
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
        "The logout token's claim \(error.name) is missing or of another type; iss, aud, iat and jti are required.")
    }
    guard !identifier.isEmpty, subject != "", sessionID != "", subject != nil || sessionID != nil else {
      throw OAuthError(.invalidResponse, "The logout token names neither a user nor a session, or has an empty claim.")
    }
    // § 2.4: an object, which should be empty.
    guard claims.values["events"]?["http://schemas.openid.net/event/backchannel-logout"]?.object != nil else {
      throw OAuthError(.invalidResponse, "The logout token is about something else than a logout.")
    }
    // § 2.4: so that it cannot be used as an ID token, nor an ID token as one.
    guard claims.values["nonce"] == nil else {
      throw OAuthError(.invalidResponse, "The logout token has a nonce: it is an ID token.")
    }
  }
}
