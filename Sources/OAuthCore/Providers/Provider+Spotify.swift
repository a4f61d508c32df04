// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Provider {
  /// Spotify ([authorization code with PKCE](https://developer.spotify.com/documentation/web-api/tutorials/code-pkce-flow)).
  ///
  /// A refresh may bring another refresh token or leave the old one in force. There is no revocation endpoint: the user removes
  /// the access in their settings.
  public static let spotify = Provider(
    name: "Spotify",
    server: ServerMetadata(
      issuer: "https://accounts.spotify.com",
      authorizationEndpoint: URL(literal: "https://accounts.spotify.com/authorize"),
      tokenEndpoint: URL(literal: "https://accounts.spotify.com/api/token"),
      tokenEndpointAuthMethodsSupported: ["client_secret_basic"]))
}
