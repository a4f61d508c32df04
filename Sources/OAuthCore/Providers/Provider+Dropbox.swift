// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Dropbox ([OAuth guide](https://developers.dropbox.com/oauth-guide)).
  ///
  /// The server issues a refresh token only for `token_access_type=offline`, which the client requests. The server does
  /// not rotate the refresh token. There is no revocation endpoint of RFC 7009. The API's `/2/auth/token/revoke`
  /// revokes the token of the request.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | `token_access_type=offline` | none |
  /// | refresh | none | none |
  ///
  /// Checked against Dropbox's documentation: the code grant's parameters in “Using OAuth 2.0 with offline access”. Not checked:
  /// the errors.
  public static let dropbox = Provider(
    name: "Dropbox",
    server: ServerMetadata(
      issuer: "https://www.dropbox.com",
      authorizationEndpoint: URL(literal: "https://www.dropbox.com/oauth2/authorize"),
      tokenEndpoint: URL(literal: "https://api.dropboxapi.com/oauth2/token")
    ) {
      $0.userinfoEndpoint = URL(literal: "https://api.dropboxapi.com/2/openid/userinfo")
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_basic", "client_secret_post"]
    },
    authorizationParameters: ["token_access_type": "offline"])
}
