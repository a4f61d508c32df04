// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Discord ([OAuth2](https://docs.discord.com/developers/topics/oauth2)).
  ///
  /// The server follows the specification: scopes separated by spaces, PKCE, rotated refresh tokens, revocation by RFC 7009.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | none | none |
  /// | refresh | none | none |
  /// | revocation | none | none |
  ///
  /// Checked against Discord's documentation: all parameters of these grants on the page “OAuth2”. The page lists no error codes,
  /// and only the server's metadata name PKCE.
  public static let discord = Provider(
    name: "Discord",
    server: ServerMetadata(
      issuer: "https://discord.com",
      authorizationEndpoint: URL(literal: "https://discord.com/oauth2/authorize"),
      tokenEndpoint: URL(literal: "https://discord.com/api/oauth2/token")
    ) {
      $0.revocationEndpoint = URL(literal: "https://discord.com/api/oauth2/token/revoke")
      $0.userinfoEndpoint = URL(literal: "https://discord.com/api/oauth2/userinfo")
      $0.jwksURI = URL(literal: "https://discord.com/api/oauth2/keys")
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_basic", "client_secret_post"]
    })
}
