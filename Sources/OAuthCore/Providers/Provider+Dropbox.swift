// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Provider {
  /// Dropbox ([OAuth guide](https://developers.dropbox.com/oauth-guide)).
  ///
  /// A refresh token comes only with `token_access_type=offline`, and stays the same at every refresh. Access is revoked with the
  /// token itself, at `/2/auth/token/revoke` of the API, not by RFC 7009.
  public static let dropbox = Provider(
    name: "Dropbox",
    server: ServerMetadata(
      issuer: "https://www.dropbox.com",
      authorizationEndpoint: URL(literal: "https://www.dropbox.com/oauth2/authorize"),
      tokenEndpoint: URL(literal: "https://api.dropboxapi.com/oauth2/token"),
      userinfoEndpoint: URL(literal: "https://api.dropboxapi.com/2/openid/userinfo"),
      tokenEndpointAuthMethodsSupported: ["client_secret_basic", "client_secret_post"]),
    authorizationParameters: ["token_access_type": "offline"])
}
