// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Slack, for an app that is installed with a bot
  /// ([installing with OAuth](https://docs.slack.dev/authentication/installing-with-oauth)).
  ///
  /// The access token belongs to the bot. It can be refreshed only if the app has
  /// [token rotation](https://docs.slack.dev/authentication/using-token-rotation). There is no revocation endpoint of RFC 7009. For
  /// the identity of a user, discover the issuer `https://slack.com`.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | scopes separated by commas | any method's `error`, with status 200 |
  /// | refresh | none | `invalid_refresh_token`, `token_expired`, `token_revoked`, with status 200 |
  public static let slack = Provider(
    name: "Slack",
    server: ServerMetadata(
      issuer: "https://slack.com",
      authorizationEndpoint: URL(literal: "https://slack.com/oauth/v2/authorize"),
      tokenEndpoint: URL(literal: "https://slack.com/api/oauth.v2.access"),
      tokenEndpointAuthMethodsSupported: ["client_secret_basic", "client_secret_post"]),
    quirks: slackQuirks)

  /// Slack for user tokens ([oauth.v2.user.access](https://docs.slack.dev/reference/methods/oauth.v2.user.access)), including clients
  /// without a secret.
  public static let slackUser = Provider(
    name: "Slack",
    server: ServerMetadata(
      issuer: "https://slack.com",
      authorizationEndpoint: URL(literal: "https://slack.com/oauth/v2_user/authorize"),
      tokenEndpoint: URL(literal: "https://slack.com/api/oauth.v2.user.access"),
      tokenEndpointAuthMethodsSupported: ["client_secret_basic", "client_secret_post"]),
    quirks: slackQuirks)

  /// The quirks of Slack: commas between scopes, errors with status 200, and the token types `bot` and `user`
  /// ([oauth.v2.access](https://docs.slack.dev/reference/methods/oauth.v2.access)).
  private static var slackQuirks: Quirks {
    var quirks = Quirks()
    quirks.scopeSeparator = ","
    quirks.grantedScopeSeparator = ","
    quirks.bearerTokenTypes = ["bot", "user"]
    quirks.refusedGrantErrors = ["invalid_refresh_token", "token_expired", "token_revoked"]
    return quirks
  }
}
