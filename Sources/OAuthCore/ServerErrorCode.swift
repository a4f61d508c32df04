// SPDX-License-Identifier: Apache-2.0

/// The error codes of authorization servers, by meaning.
///
/// Each set contains the code of the specification and those of providers that no other server uses with another
/// meaning. A code with several meanings is in the ``Provider/Quirks-swift.struct`` of its provider.
package enum ServerErrorCode {
  /// The user denied access ([RFC 6749 § 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.1.2.1)).
  ///
  /// The other codes are those of Microsoft, LinkedIn and Apple.
  package static let denials: Set = [
    "access_denied", "authorization_declined", "user_cancelled_login", "user_cancelled_authorize",
  ]

  /// The device code expired ([RFC 8628 § 3.5](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.5)).
  ///
  /// The second code is used by Microsoft's libraries. The third code occurs in GitHub's description of the first.
  static let expiredDeviceCodes: Set = ["expired_token", "code_expired", "token_expired"]

  /// The server rejected the client ([RFC 6749 § 5.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.2)).
  ///
  /// Some servers return `unauthorized_client` for an unknown client. The codes after it are those of GitHub, Slack and Twitch.
  static let refusedClients: Set = [
    "invalid_client", "unauthorized_client", "incorrect_client_credentials", "invalid_client_id", "bad_client_secret",
    "client does not exist",
  ]

  /// The server rejected the grant itself, and the user must sign in again.
  ///
  /// The second code is GitHub's. The codes after it are those of OpenID Connect Core § 3.1.2.6 for errors requiring an
  /// action of the user.
  static let refusedGrants: Set = [
    "invalid_grant", "bad_refresh_token", "interaction_required", "consent_required", "login_required",
  ]

  /// The token to revoke is not valid.
  ///
  /// The codes are those of Google and Twitch. [RFC 7009 § 2.2](https://www.rfc-editor.org/rfc/rfc7009.html#section-2.2) requires status
  /// 200 instead.
  static let unknownTokens: Set = ["invalid_token", "Invalid token"]
}
