// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Spotify ([authorization code with PKCE](https://developer.spotify.com/documentation/web-api/tutorials/code-pkce-flow)).
  ///
  /// The server may rotate the refresh token at a refresh. There is no revocation endpoint. Users revoke the access in their
  /// settings.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | none | none |
  /// | refresh | none | none |
  ///
  /// Checked against Spotify's documentation: the parameters of “Refreshing tokens”. Not checked: the code grant and the errors.
  public static let spotify = Provider(
    name: "Spotify",
    server: ServerMetadata(
      issuer: "https://accounts.spotify.com",
      authorizationEndpoint: URL(literal: "https://accounts.spotify.com/authorize"),
      tokenEndpoint: URL(literal: "https://accounts.spotify.com/api/token")
    ) {
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_basic"]
    })
}
