// SPDX-License-Identifier: Apache-2.0

extension OAuthError {
  /// Returns a sentence followed by the advice for an error code defined by a specification.
  ///
  /// For other codes, the result is the sentence alone. Messages never contain text from the server.
  ///
  /// - Parameters:
  ///   - sentence: The sentence, without its period.
  ///   - serverCode: The server's error code.
  static func withAdvice(_ sentence: String, for serverCode: String) -> String {
    advice[serverCode].map { "\(sentence). \($0)" } ?? "\(sentence)."
  }

  /// Whether a specification or a provider's documentation defines an error code.
  static func isKnown(_ serverCode: String) -> Bool { advice[serverCode] != nil || withoutAdvice.contains(serverCode) }

  /// The known codes without advice, since they have errors of their own.
  private static let withoutAdvice = [
    ServerErrorCode.denials, ServerErrorCode.expiredDeviceCodes, ServerErrorCode.refusedClients,
    ServerErrorCode.refusedGrants, ServerErrorCode.unknownTokens,
    ["slow_down", "server_error", "temporarily_unavailable", "unmet_authentication_requirements"],
  ].reduce(into: Set<String>()) { $0.formUnion($1) }

  private static let unknownCode = "The code is unknown, was used or has expired. Start the sign-in again."
  private static let unknownScope =
    "A scope is unknown or not allowed for this client. Request only scopes that the server supports."
  private static let unknownTarget =
    "A resource or audience is unknown or not allowed for this client. Check its name."
  private static let unknownRedirectURI = "The redirect URI is not registered for this client. Register it."

  private static let advice = [
    // RFC 6749 § 4.1.2.1, § 5.2.
    "invalid_request":
      "A parameter is missing, repeated or malformed. Compare the parameters with the server's documentation.",
    "unauthorized_client": "The client may not use this grant. Allow it in the client's registration.",
    "unsupported_response_type": "The client may not use the code grant. Allow it in the client's registration.",
    "invalid_scope": unknownScope,
    "invalid_grant":
      "The code, token or assertion has expired, was used or revoked, or belongs to another client. Obtain a new one.",
    "unsupported_grant_type": "The server does not support this grant. See grant_types_supported in its metadata.",
    // RFC 6750 § 3.1.
    "invalid_token":
      "The access token has expired, was revoked or belongs to another server. Refresh it, or sign in again.",
    "insufficient_scope": "The access token lacks scopes. Sign in again for them.",
    // RFC 7009 § 2.2.1.
    "unsupported_token_type": "The server does not revoke tokens of this type. Remove the token and let it expire.",
    // RFC 7591 § 3.2.2.
    "invalid_redirect_uri":
      "A redirect URI is not accepted. Register https, http to loopback, or a private-use scheme.",
    "invalid_client_metadata": "A member of the client's metadata is not accepted. Correct or remove it.",
    "invalid_software_statement": "The software statement is not valid. Obtain a new one from its issuer.",
    "unapproved_software_statement":
      "The server does not trust the issuer of the software statement. Obtain one from an approved issuer.",
    // RFC 8628 § 3.5.
    "authorization_pending": "The user has not decided yet. Poll again after the interval.",
    "expired_token": "The device code has expired. Start the sign-in again.",
    // GitHub and Microsoft, for a code or a device code.
    "bad_verification_code": unknownCode, "incorrect_device_code": unknownCode,
    // Twitch, in place of a code.
    "invalid device code": unknownCode,
    // Slack.
    "invalid_code": unknownCode, "code_already_used": unknownCode, "bad_redirect_uri": unknownRedirectURI,
    "pkce_not_allowed": "The client may not use PKCE. Allow it in the app's settings at the server.",
    // LinkedIn, Microsoft.
    "unauthorized_scope_error": unknownScope, "invalid_resource": unknownTarget,
    // Google.
    "org_internal": "The client is for users of its own organization. Sign in as one of them.",
    "admin_policy_enforced":
      "The user's organization does not allow these scopes for this client. Ask its administrator to allow them.",
    // GitHub.
    "application_suspended": "The server has suspended the client. Contact the server's support.",
    "device_flow_disabled": "The client may not use the device grant. Allow it in the client's registration.",
    "redirect_uri_mismatch": unknownRedirectURI,
    "unverified_user_email": "The user must verify their e-mail address at the server. Sign in again after that.",
    // RFC 8707 § 2, RFC 8693 § 2.2.2.
    "invalid_target": unknownTarget,
    // RFC 9101 § 7, RFC 9126 § 2.3, OpenID Connect Core § 3.1.2.6.
    "invalid_request_uri": "The pushed request has expired or was used. Begin the authorization again.",
    "invalid_request_object":
      "The signed request is not accepted. Check that its key is registered, and check this machine's clock.",
    "request_not_supported":
      "The server does not support signed requests. Remove requestSigning from the registration.",
    "request_uri_not_supported":
      "The server does not support pushed authorization requests. Set pushesAuthorizationRequests to false.",
    "registration_not_supported":
      "The server does not support registration within a request. Register the client beforehand.",
    "interaction_required": "The user must interact with the server's page. Remove prompt=none.",
    "login_required": "The user must sign in at the server. Remove prompt=none.",
    "account_selection_required": "The user must choose an account. Remove prompt=none.",
    "consent_required": "The user must consent. Remove prompt=none.",
    // RFC 9396 § 5.
    "invalid_authorization_details":
      "An authorization detail is malformed or of an unknown type. See authorization_details_types_supported.",
    // RFC 9449 § 5, § 8.
    "invalid_dpop_proof": "The DPoP proof is not accepted. Check the key and this machine's clock.",
    "use_dpop_nonce": "The DPoP proof lacks the server's nonce. Repeat the request with it.",
    // RFC 9470 § 3.
    "insufficient_user_authentication":
      "The resource requires a more recent or stronger sign-in. Sign in again.",
  ]
}
