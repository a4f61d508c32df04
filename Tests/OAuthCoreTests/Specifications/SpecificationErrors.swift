// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import Testing

/// An error code of a specification, where it arrives, and what becomes of it.
struct SpecificationError: Sendable, CustomTestStringConvertible {
  /// The place at which a code arrives.
  enum Place: Sendable {
    /// The callback of an authorization request.
    case authorization
    /// The token endpoint: code, refresh token, or a grant without a user.
    case token, refresh, service, exchange
    /// The device's requests for its tokens.
    case device
    case revocation, introspection, registration, management, pushedRequest
    /// The `WWW-Authenticate` field of an API.
    case resource
  }

  let specification: String
  let place: Place
  let serverCode: String
  var status = 400
  let code: OAuthError.Code
  /// The remedy that the message must name.
  let advice: String

  var testDescription: String { "\(specification) \(serverCode)" }
}

extension SpecificationError {
  private init(
    _ specification: String, _ place: Place, _ serverCode: String, status: Int = 400, _ code: OAuthError.Code,
    _ advice: String
  ) {
    self.specification = specification
    self.place = place
    self.serverCode = serverCode
    self.status = status
    self.code = code
    self.advice = advice
  }

  /// Every code, in the order of the specifications.
  static let all: [SpecificationError] = [
    .init("RFC 6749 § 4.1.2.1", .authorization, "invalid_request", .requestRejected, "compare the parameters"),
    .init("RFC 6749 § 4.1.2.1", .authorization, "unauthorized_client", .requestRejected, "registration"),
    .init("RFC 6749 § 4.1.2.1", .authorization, "access_denied", .accessDenied, "sign in again and allow access"),
    .init("RFC 6749 § 4.1.2.1", .authorization, "unsupported_response_type", .requestRejected, "registration"),
    .init("RFC 6749 § 4.1.2.1", .authorization, "invalid_scope", .requestRejected, "scope"),
    .init("RFC 6749 § 4.1.2.1", .authorization, "server_error", .serverUnavailable, "later"),
    .init("RFC 6749 § 4.1.2.1", .authorization, "temporarily_unavailable", .serverUnavailable, "later"),
    .init("RFC 6749 § 5.2", .token, "invalid_request", .requestRejected, "compare the parameters"),
    .init("RFC 6749 § 5.2", .token, "invalid_client", status: 401, .requestRejected, "secret"),
    .init("RFC 6749 § 5.2", .token, "invalid_grant", .requestRejected, "obtain a new one"),
    .init("RFC 6749 § 5.2", .refresh, "invalid_grant", .signInRequired, "Sign in again"),
    .init("RFC 6749 § 5.2", .service, "unauthorized_client", .requestRejected, "authentication"),
    .init("RFC 6749 § 5.2", .service, "unsupported_grant_type", .requestRejected, "grant_types_supported"),
    .init("RFC 6749 § 5.2", .refresh, "invalid_scope", .requestRejected, "scope"),
    .init("RFC 6750 § 3.1", .resource, "invalid_request", .requestRejected, "compare the parameters"),
    .init("RFC 6750 § 3.1", .resource, "invalid_token", status: 401, .requestRejected, "refresh it"),
    .init("RFC 6750 § 3.1", .resource, "insufficient_scope", status: 403, .requestRejected, "scopes"),
    .init("RFC 7009 § 2.2.1", .revocation, "unsupported_token_type", .requestRejected, "let it expire"),
    .init("RFC 7009 § 2.2.1", .revocation, "invalid_client", status: 401, .requestRejected, "secret"),
    .init("RFC 7009 § 2.2.1", .revocation, "", status: 503, .serverUnavailable, "later"),
    .init("RFC 7591 § 3.2.2", .registration, "invalid_redirect_uri", .requestRejected, "redirect URI"),
    .init("RFC 7591 § 3.2.2", .registration, "invalid_client_metadata", .requestRejected, "metadata"),
    .init("RFC 7591 § 3.2.2", .registration, "invalid_software_statement", .requestRejected, "software statement"),
    .init("RFC 7591 § 3.2.2", .registration, "unapproved_software_statement", .requestRejected, "trust"),
    .init("RFC 7592 § 2", .management, "invalid_token", status: 401, .requestRejected, "access token"),
    .init("RFC 7592 § 2", .management, "", status: 401, .requestRejected, "access token"),
    .init("RFC 7592 § 2.2", .management, "invalid_client_metadata", .requestRejected, "metadata"),
    .init("RFC 7636 § 4.4.1", .authorization, "invalid_request", .requestRejected, "compare the parameters"),
    .init("RFC 7636 § 4.6", .token, "invalid_grant", .requestRejected, "obtain a new one"),
    .init("RFC 7662 § 2.3", .introspection, "invalid_client", status: 401, .requestRejected, "secret"),
    .init("RFC 7662 § 2.3", .introspection, "invalid_token", status: 401, .requestRejected, "refresh it"),
    .init("RFC 8628 § 3.5", .device, "access_denied", .accessDenied, "sign in again and allow access"),
    .init("RFC 8628 § 3.5", .device, "expired_token", .signInTimedOut, "Start it again"),
    .init("RFC 8693 § 2.2.2", .exchange, "invalid_request", .requestRejected, "compare the parameters"),
    .init("RFC 8693 § 2.2.2", .exchange, "invalid_target", .requestRejected, "audience"),
    .init("RFC 8707 § 2", .authorization, "invalid_target", .requestRejected, "resource"),
    .init("RFC 8707 § 2", .token, "invalid_target", .requestRejected, "resource"),
    .init("RFC 9101 § 6.1", .authorization, "invalid_request_object", .requestRejected, "key"),
    .init("RFC 9101 § 6.1", .authorization, "invalid_request_uri", .requestRejected, "begin the authorization again"),
    .init("RFC 9101 § 5", .authorization, "request_not_supported", .requestRejected, "requestSigning"),
    .init("RFC 9101 § 5", .authorization, "request_uri_not_supported", .requestRejected, "pushesAuthorizationRequests"),
    .init("RFC 9126 § 2.3", .pushedRequest, "invalid_request", .requestRejected, "compare the parameters"),
    .init("RFC 9126 § 2.3", .pushedRequest, "invalid_request_object", .requestRejected, "key"),
    .init("RFC 9126 § 2.3", .pushedRequest, "", status: 405, .invalidResponse, "status 405"),
    .init("RFC 9126 § 2.3", .pushedRequest, "", status: 413, .invalidResponse, "status 413"),
    .init("RFC 9126 § 2.3", .pushedRequest, "", status: 429, .serverUnavailable, "later"),
    .init("RFC 9396 § 5", .authorization, "invalid_authorization_details", .requestRejected, "types_supported"),
    .init("RFC 9396 § 5", .token, "invalid_authorization_details", .requestRejected, "types_supported"),
    .init(
      "RFC 9470 § 3", .resource, "insufficient_user_authentication", status: 401, .insufficientAuthentication,
      "sign in again"),
    .init("OpenID Connect Core § 3.1.2.6", .authorization, "interaction_required", .signInRequired, "prompt=none"),
    .init("OpenID Connect Core § 3.1.2.6", .authorization, "login_required", .signInRequired, "prompt=none"),
    .init(
      "OpenID Connect Core § 3.1.2.6", .authorization, "account_selection_required", .signInRequired, "prompt=none"),
    .init("OpenID Connect Core § 3.1.2.6", .authorization, "consent_required", .signInRequired, "prompt=none"),
    .init("OpenID Connect Core § 3.1.2.6", .authorization, "invalid_request_uri", .requestRejected, "again"),
    .init(
      "OpenID Connect Core § 3.1.2.6", .authorization, "registration_not_supported", .requestRejected, "beforehand"),
    .init(
      "OpenID Connect Core Unmet Authentication Requirements § 3", .authorization, "unmet_authentication_requirements",
      .insufficientAuthentication, "another authentication context class"),
    .init("A provider", .service, "authorization_pending", .requestRejected, "poll again after the interval"),
    .init("A provider", .service, "expired_token", .requestRejected, "start the sign-in again"),
    .init("A provider", .service, "bad_verification_code", .requestRejected, "start the sign-in again"),
    .init("A provider", .service, "incorrect_device_code", .requestRejected, "start the sign-in again"),
    .init("A provider", .service, "invalid device code", .requestRejected, "start the sign-in again"),
    .init("A provider", .service, "org_internal", .requestRejected, "sign in as one of them"),
    .init("A provider", .service, "invalid_code", .requestRejected, "start the sign-in again"),
    .init("A provider", .service, "code_already_used", .requestRejected, "start the sign-in again"),
    .init("A provider", .service, "bad_redirect_uri", .requestRejected, "register it"),
    .init("A provider", .service, "pkce_not_allowed", .requestRejected, "allow it in the app's settings"),
    .init("A provider", .service, "unauthorized_scope_error", .requestRejected, "request only scopes"),
    .init("A provider", .service, "invalid_resource", .requestRejected, "check its name"),
    .init("A provider", .service, "application_suspended", .requestRejected, "contact the server's support"),
    .init("A provider", .service, "device_flow_disabled", .requestRejected, "allow it in the client's registration"),
    .init("A provider", .service, "redirect_uri_mismatch", .requestRejected, "register it"),
    .init("A provider", .service, "unverified_user_email", .requestRejected, "sign in again after that"),
    .init("A provider", .service, "invalid_dpop_proof", .requestRejected, "check the key and this machine's clock"),
    .init("A provider", .service, "use_dpop_nonce", .requestRejected, "repeat the request with it"),
  ]
}
