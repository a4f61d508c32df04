// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Provider {
  /// Twitch ([getting tokens](https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/)).
  ///
  /// The secret is a form parameter, and the scopes of a response are a list. Its API needs the client's identifier too, in the
  /// field `Client-Id`. A refresh token may be replaced
  /// ([refreshing](https://dev.twitch.tv/docs/authentication/refresh-tokens/)).
  public static let twitch = Provider(
    name: "Twitch",
    server: ServerMetadata(
      issuer: "https://id.twitch.tv/oauth2",
      authorizationEndpoint: URL(literal: "https://id.twitch.tv/oauth2/authorize"),
      tokenEndpoint: URL(literal: "https://id.twitch.tv/oauth2/token"),
      revocationEndpoint: URL(literal: "https://id.twitch.tv/oauth2/revoke"),
      userinfoEndpoint: URL(literal: "https://id.twitch.tv/oauth2/userinfo"),
      jwksURI: URL(literal: "https://id.twitch.tv/oauth2/keys"),
      deviceAuthorizationEndpoint: URL(literal: "https://id.twitch.tv/oauth2/device"),
      tokenEndpointAuthMethodsSupported: ["client_secret_post"]),
    quirks: twitchQuirks)

  /// What is wrong is in `message` alone.
  private static var twitchQuirks: Quirks {
    var quirks = Quirks()
    quirks.errorMembers = Quirks.ErrorMembers(code: ["message"], description: ["message"])
    quirks.refusedGrantErrors = ["Invalid refresh token"]
    quirks.checksPKCE = false
    return quirks
  }
}
