// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Provider {
  /// LinkedIn ([authorization code flow](https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow)).
  ///
  /// The secret is a form parameter. A refresh token comes for approved partners only
  /// ([refresh tokens](https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens)); without one
  /// the user signs in again after 60 days. Scopes are granted with commas.
  public static let linkedIn = Provider(
    name: "LinkedIn",
    server: ServerMetadata(
      issuer: "https://www.linkedin.com/oauth",
      authorizationEndpoint: URL(literal: "https://www.linkedin.com/oauth/v2/authorization"),
      tokenEndpoint: URL(literal: "https://www.linkedin.com/oauth/v2/accessToken"),
      revocationEndpoint: URL(literal: "https://www.linkedin.com/oauth/v2/revoke"),
      userinfoEndpoint: URL(literal: "https://api.linkedin.com/v2/userinfo"),
      jwksURI: URL(literal: "https://www.linkedin.com/oauth/openid/jwks"),
      tokenEndpointAuthMethodsSupported: ["client_secret_post"]),
    quirks: linkedInQuirks)

  /// PKCE is for native clients, at endpoints of their own, that LinkedIn enables by hand
  /// ([native clients](https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow-native)).
  private static var linkedInQuirks: Quirks {
    var quirks = Quirks()
    quirks.grantedScopeSeparator = ","
    quirks.checksPKCE = false
    return quirks
  }
}
