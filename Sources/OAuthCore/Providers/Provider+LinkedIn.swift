// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// LinkedIn ([authorization code flow](https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow)).
  ///
  /// The secret is a form parameter. The server issues refresh tokens only to approved partners
  /// ([refresh tokens](https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens)). Without one, the
  /// user signs in again after 60 days. Granted scopes are separated by commas.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | granted scopes separated by commas | `user_cancelled_login`, `user_cancelled_authorize`, `unauthorized_scope_error` in the callback; `invalid_redirect_uri`, also for an expired code |
  /// | refresh | none | `invalid_request` for a refused refresh token, which only the description distinguishes |
  ///
  /// Checked in part against LinkedIn's documentation: “Authorization code flow” and “Refresh tokens with OAuth 2.0”. The errors
  /// were checked only in quotations of these pages.
  public static let linkedIn = Provider(
    name: "LinkedIn",
    server: ServerMetadata(
      issuer: "https://www.linkedin.com/oauth",
      authorizationEndpoint: URL(literal: "https://www.linkedin.com/oauth/v2/authorization"),
      tokenEndpoint: URL(literal: "https://www.linkedin.com/oauth/v2/accessToken")
    ) {
      $0.revocationEndpoint = URL(literal: "https://www.linkedin.com/oauth/v2/revoke")
      $0.userinfoEndpoint = URL(literal: "https://api.linkedin.com/v2/userinfo")
      $0.jwksURI = URL(literal: "https://www.linkedin.com/oauth/openid/jwks")
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_post"]
    },
    quirks: linkedInQuirks)

  /// The quirks of LinkedIn: commas between granted scopes, and PKCE only for native clients, which have separate endpoints
  /// ([native clients](https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow-native)).
  private static var linkedInQuirks: Quirks {
    var quirks = Quirks()
    quirks.grantedScopeSeparator = ","
    quirks.checksPKCE = false
    quirks.refusedGrantErrors = ["The provided authorization grant or refresh token is invalid, expired or revoked"]
    return quirks
  }
}
