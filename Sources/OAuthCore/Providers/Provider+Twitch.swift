// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Twitch ([getting tokens](https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/)).
  ///
  /// The secret is a form parameter, and the scopes of a response are an array. The API also requires the client's identifier in the
  /// field `Client-Id`. The server may rotate refresh tokens
  /// ([refreshing](https://dev.twitch.tv/docs/authentication/refresh-tokens/)).
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | granted scopes as an array | the text of `message` in place of a code |
  /// | refresh | none | `Invalid refresh token` in `message` |
  /// | device | `scopes` in both requests, in place of `scope` | `authorization_pending` and `invalid device code` in `message` |
  /// | revocation | access tokens alone | `Invalid token` with status 400 and `client does not exist` with status 404, in `message` |
  ///
  /// Checked in part against Twitch's documentation: “Getting OAuth access tokens” and “Refreshing access tokens”. The errors and
  /// “Revoking access tokens” were checked only in quotations of the documentation.
  public static let twitch = Provider(
    name: "Twitch",
    server: ServerMetadata(
      issuer: "https://id.twitch.tv/oauth2",
      authorizationEndpoint: URL(literal: "https://id.twitch.tv/oauth2/authorize"),
      tokenEndpoint: URL(literal: "https://id.twitch.tv/oauth2/token")
    ) {
      $0.revocationEndpoint = URL(literal: "https://id.twitch.tv/oauth2/revoke")
      $0.userinfoEndpoint = URL(literal: "https://id.twitch.tv/oauth2/userinfo")
      $0.jwksURI = URL(literal: "https://id.twitch.tv/oauth2/keys")
      $0.deviceAuthorizationEndpoint = URL(literal: "https://id.twitch.tv/oauth2/device")
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_post"]
    },
    quirks: twitchQuirks)

  /// The quirks of Twitch: errors are described only in `message`, PKCE is not verified, and the device grant's scopes are `scopes` in
  /// both requests.
  private static var twitchQuirks: Quirks {
    var quirks = Quirks()
    quirks.errorMembers = Quirks.ErrorMembers(code: ["message"], description: ["message"])
    quirks.refusedGrantErrors = ["Invalid refresh token"]
    quirks.checksPKCE = false
    quirks.deviceScopeParameter = "scopes"
    return quirks
  }
}
