// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Provider {
  /// GitHub ([authorizing OAuth apps](https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps)).
  ///
  /// An OAuth app's token does not expire and cannot be refreshed; a GitHub App's can. There is no revocation endpoint of
  /// RFC 7009: the user removes the access in their settings.
  public static let gitHub = Provider(
    name: "GitHub",
    server: ServerMetadata(
      issuer: "https://github.com/login/oauth",
      authorizationEndpoint: URL(literal: "https://github.com/login/oauth/authorize"),
      tokenEndpoint: URL(literal: "https://github.com/login/oauth/access_token"),
      deviceAuthorizationEndpoint: URL(literal: "https://github.com/login/device/code"),
      tokenEndpointAuthMethodsSupported: ["client_secret_post"]),
    quirks: quirks)

  /// Scopes are requested with spaces and granted with commas.
  private static var quirks: Quirks {
    var quirks = Quirks()
    quirks.grantedScopeSeparator = ","
    return quirks
  }
}
