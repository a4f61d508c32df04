// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// GitLab.com ([OAuth 2.0 identity provider](https://docs.gitlab.com/api/oauth2/)).
  ///
  /// For a self-managed instance, read the metadata with ``ServerMetadata/discover(issuer:transport:)``. Instances support the
  /// device grant from version 17.3 on.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | none | none |
  /// | refresh | `redirect_uri` in the examples, which is not sent | none |
  /// | device | none | none |
  /// | revocation | none | none |
  ///
  /// Checked against GitLab's documentation: all parameters and codes of “OAuth 2.0 identity provider API”. The page lists error
  /// codes only for the device grant.
  public static let gitLab = Provider(
    name: "GitLab",
    server: ServerMetadata(
      issuer: "https://gitlab.com",
      authorizationEndpoint: URL(literal: "https://gitlab.com/oauth/authorize"),
      tokenEndpoint: URL(literal: "https://gitlab.com/oauth/token")
    ) {
      $0.revocationEndpoint = URL(literal: "https://gitlab.com/oauth/revoke")
      $0.userinfoEndpoint = URL(literal: "https://gitlab.com/oauth/userinfo")
      $0.jwksURI = URL(literal: "https://gitlab.com/oauth/discovery/keys")
      $0.deviceAuthorizationEndpoint = URL(literal: "https://gitlab.com/oauth/authorize_device")
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_basic", "client_secret_post"]
    })
}
