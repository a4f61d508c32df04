// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Slack, for an app installed with a bot
  /// ([installing with OAuth](https://docs.slack.dev/authentication/installing-with-oauth)).
  ///
  /// The access token belongs to the bot. It can be refreshed only if the app has
  /// [token rotation](https://docs.slack.dev/authentication/using-token-rotation). There is no revocation endpoint of RFC 7009. For
  /// the identity of a user, discover the issuer `https://slack.com`.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | scopes separated by commas | any method's `error`, with status 200, such as `invalid_code`, `code_already_used`, `bad_redirect_uri`, `invalid_client_id`, `bad_client_secret`, `pkce_not_allowed` |
  /// | refresh | none | `invalid_refresh_token`, `token_expired`, `token_revoked`, `account_inactive`, with status 200 |
  /// | both | none | for temporary failures `fatal_error`, `internal_error`, `org_login_required`, `ratelimited`, `request_timeout`, `service_unavailable`, `team_added_to_org`, with status 200 |
  ///
  /// The server can reject PKCE if the app does not allow it
  /// ([using PKCE](https://docs.slack.dev/authentication/using-pkce)).
  ///
  /// Checked against copies of Slack's documentation: the parameters and errors of “oauth.v2.access” and “oauth.access”. Checked
  /// in part: “Using PKCE” and “Using token rotation”.
  public static let slack = Provider(
    name: "Slack",
    server: ServerMetadata(
      issuer: "https://slack.com",
      authorizationEndpoint: URL(literal: "https://slack.com/oauth/v2/authorize"),
      tokenEndpoint: URL(literal: "https://slack.com/api/oauth.v2.access")
    ) {
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_basic", "client_secret_post"]
    },
    quirks: slackQuirks)

  /// Slack for user tokens ([oauth.v2.user.access](https://docs.slack.dev/reference/methods/oauth.v2.user.access)), including clients
  /// without a secret.
  public static let slackUser = Provider(
    name: "Slack",
    server: ServerMetadata(
      issuer: "https://slack.com",
      authorizationEndpoint: URL(literal: "https://slack.com/oauth/v2_user/authorize"),
      tokenEndpoint: URL(literal: "https://slack.com/api/oauth.v2.user.access")
    ) {
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_basic", "client_secret_post"]
    },
    quirks: slackQuirks)

  /// The quirks of Slack: commas between scopes, errors with status 200, and the token types `bot` and `user`
  /// ([oauth.v2.access](https://docs.slack.dev/reference/methods/oauth.v2.access)).
  private static var slackQuirks: Quirks {
    var quirks = Quirks()
    quirks.scopeSeparator = ","
    quirks.grantedScopeSeparator = ","
    quirks.bearerTokenTypes = ["bot", "user"]
    quirks.refusedGrantErrors = ["invalid_refresh_token", "token_expired", "token_revoked", "account_inactive"]
    quirks.transientErrors = [
      "fatal_error", "internal_error", "org_login_required", "ratelimited", "request_timeout", "service_unavailable",
      "team_added_to_org",
    ]
    return quirks
  }
}
