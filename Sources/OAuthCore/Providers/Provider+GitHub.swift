// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// GitHub ([authorizing OAuth apps](https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps)).
  ///
  /// The tokens of an OAuth app do not expire and cannot be refreshed. Those of a GitHub App can. There is no
  /// revocation endpoint of RFC 7009. Users revoke the access in their settings.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | none | `application_suspended`, `redirect_uri_mismatch` in the callback; `bad_verification_code`, `incorrect_client_credentials`, `redirect_uri_mismatch`, `unverified_user_email`, with status 200 |
  /// | refresh | none | `bad_refresh_token`, `incorrect_client_credentials` |
  /// | device | `interval` beside `slow_down`, five seconds more than before | `incorrect_device_code`, `incorrect_client_credentials`, `device_flow_disabled`; `token_expired` in the description of `expired_token` |
  ///
  /// Checked against GitHub's documentation: all parameters and codes of “Authorizing OAuth apps”, “Refreshing user access
  /// tokens” and the two pages on troubleshooting OAuth apps. None of these pages contains `bad_refresh_token`. The server
  /// supports PKCE since July 2025, only with S256.
  public static let gitHub = Provider(
    name: "GitHub",
    server: ServerMetadata(
      issuer: "https://github.com/login/oauth",
      authorizationEndpoint: URL(literal: "https://github.com/login/oauth/authorize"),
      tokenEndpoint: URL(literal: "https://github.com/login/oauth/access_token")
    ) {
      $0.deviceAuthorizationEndpoint = URL(literal: "https://github.com/login/device/code")
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_post"]
    },
    quirks: quirks)

  /// The quirks of GitHub: granted scopes are separated by commas, requested scopes by spaces.
  private static var quirks: Quirks {
    var quirks = Quirks()
    quirks.grantedScopeSeparator = ","
    return quirks
  }
}
