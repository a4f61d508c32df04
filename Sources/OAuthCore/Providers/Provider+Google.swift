// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Google ([OAuth 2.0 for desktop apps](https://developers.google.com/identity/protocols/oauth2/native-app)).
  ///
  /// The server issues a refresh token only for `access_type=offline`, and after the first consent only for `prompt=consent`. The
  /// client requests both, so every sign-in returns a refresh token.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | `access_type=offline`, `prompt=consent` | `redirect_uri_mismatch`, on a page of the server |
  /// | refresh | none | none |
  /// | device | `verification_url` in the response | `rate_limit_exceeded` in `error_code`, with status 403; `admin_policy_enforced`, `org_internal`; status 428 for `authorization_pending`, 403 for `slow_down` and `access_denied` |
  /// | revocation | none | status 400 with a code, such as `invalid_token` |
  ///
  /// Checked against Google's documentation: all parameters and codes of YouTube's edition of “OAuth 2.0 for TV and Limited-Input
  /// Device Applications”, which includes the refresh and the revocation. Not checked: the errors of the code grant.
  public static let google = Provider(
    name: "Google",
    server: ServerMetadata(
      issuer: "https://accounts.google.com",
      authorizationEndpoint: URL(literal: "https://accounts.google.com/o/oauth2/v2/auth"),
      tokenEndpoint: URL(literal: "https://oauth2.googleapis.com/token")
    ) {
      $0.revocationEndpoint = URL(literal: "https://oauth2.googleapis.com/revoke")
      $0.userinfoEndpoint = URL(literal: "https://openidconnect.googleapis.com/v1/userinfo")
      $0.jwksURI = URL(literal: "https://www.googleapis.com/oauth2/v3/certs")
      $0.deviceAuthorizationEndpoint = URL(literal: "https://oauth2.googleapis.com/device/code")
      // The method of Google's own clients and documentation.
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_post"]
      // ID tokens can contain the issuer without a scheme.
      $0.issuerAliases = ["accounts.google.com"]
    },
    authorizationParameters: ["access_type": "offline", "prompt": "consent"], quirks: googleQuirks)

  private static var googleQuirks: Quirks {
    var quirks = Quirks()
    // https://developers.google.com/identity/openid-connect/openid-connect#authenticationuriparameters
    quirks.acceptsSubjectAsLoginHint = true
    // https://developers.google.com/identity/protocols/oauth2/limited-input-device
    quirks.errorMembers = Quirks.ErrorMembers(code: ["error_code"], description: ["error_description"])
    quirks.transientErrors = ["rate_limit_exceeded"]
    return quirks
  }
}
