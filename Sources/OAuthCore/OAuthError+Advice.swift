// SPDX-License-Identifier: Apache-2.0

extension OAuthError {
  /// Returns a sentence, given without its period, with what to do about an error code that a specification defines.
  ///
  /// A code of the server's own adds nothing: a message holds no text that a server has chosen.
  static func withAdvice(_ sentence: String, for serverCode: String) -> String {
    advice[serverCode].map { "\(sentence). \($0)" } ?? "\(sentence)."
  }

  private static let advice = [
    // RFC 6749 § 4.1.2.1, § 5.2.
    "invalid_request":
      "A parameter is missing, repeated or malformed: compare the parameters with the server's documentation.",
    "unauthorized_client": "The client may not use this grant: allow it in the client's registration.",
    "unsupported_response_type": "The client may not request codes: allow it in the client's registration.",
    "invalid_scope": "A scope is not known, or not for this client: request only those that the server lists.",
    "invalid_grant":
      "The code, token or assertion has expired, was used or revoked, or is another client's: obtain a new one.",
    "unsupported_grant_type": "The server does not have this grant: see grant_types_supported in its metadata.",
    // RFC 6750 § 3.1.
    "invalid_token": "The access token has expired, was revoked or is another server's: refresh it, or sign in again.",
    "insufficient_scope": "The access token lacks scopes: sign in again for them.",
    // RFC 7009 § 2.2.1.
    "unsupported_token_type": "The server does not revoke tokens of this type: remove the token and let it expire.",
    // RFC 7591 § 3.2.2.
    "invalid_redirect_uri": "A redirect URI is not accepted: register https, loopback, or a scheme of the app's own.",
    "invalid_client_metadata": "A member of the client's metadata is not accepted: correct it, or leave it out.",
    "invalid_software_statement": "The software statement is not valid: obtain a new one from who issued it.",
    "unapproved_software_statement": "The server does not trust who issued the software statement.",
    // RFC 8628 § 3.5.
    "authorization_pending": "The user has not decided yet: ask again after the interval.",
    "expired_token": "The device code has expired: start the sign-in again.",
    // RFC 8707 § 2, RFC 8693 § 2.2.2.
    "invalid_target": "A resource or audience is not known to the server, or not for this client: check its name.",
    // RFC 9101 § 7, RFC 9126 § 2.3, OpenID Connect Core § 3.1.2.6.
    "invalid_request_uri": "The pushed request has expired or was used: begin the authorization again.",
    "invalid_request_object":
      "The signed request is not accepted: check the key, which the registration must name, and this machine's clock.",
    "request_not_supported": "The server takes no signed requests: remove requestSigning from the registration.",
    "request_uri_not_supported": "The server takes no references to requests: do not push them.",
    "registration_not_supported": "The server takes no registration within a request: register the client beforehand.",
    "interaction_required": "The user has to be asked something: leave prompt=none out.",
    "login_required": "The user has to sign in at the server: leave prompt=none out.",
    "account_selection_required": "The user has to choose an account: leave prompt=none out.",
    "consent_required": "The user has to consent: leave prompt=none out.",
    // RFC 9396 § 5.
    "invalid_authorization_details":
      "An authorization detail is malformed or of a type that is not known: see authorization_details_types_supported.",
    // RFC 9449 § 5, § 8.
    "invalid_dpop_proof": "The proof of possession is not accepted: check the key and this machine's clock.",
    "use_dpop_nonce": "The proof of possession needs the server's nonce: send the request again with it.",
    // RFC 9470 § 3.
    "insufficient_user_authentication":
      "The user has to authenticate again, or more strongly: sign in again as the resource demands.",
  ]
}
