// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Provider {
  /// Facebook ([manual login flow](https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow)), by the version
  /// of its Graph API that is named here.
  ///
  /// There are no refresh tokens: a token is exchanged for one that is good for about 60 days with the grant type
  /// `fb_exchange_token` ([long-lived tokens](https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived)),
  /// and then the user signs in again. The response does not say which scopes were granted.
  public static let facebook = Provider(
    name: "Facebook",
    server: ServerMetadata(
      issuer: "https://www.facebook.com",
      authorizationEndpoint: URL(literal: "https://www.facebook.com/v23.0/dialog/oauth"),
      tokenEndpoint: URL(literal: "https://graph.facebook.com/v23.0/oauth/access_token"),
      jwksURI: URL(literal: "https://www.facebook.com/.well-known/oauth/openid/jwks/"),
      tokenEndpointAuthMethodsSupported: ["client_secret_post"]),
    quirks: facebookQuirks)

  /// Scopes have commas between them, errors are those of the Graph API
  /// ([handling errors](https://developers.facebook.com/docs/graph-api/guides/error-handling)), and the redirect ends with `#_=_`.
  private static var facebookQuirks: Quirks {
    var quirks = Quirks()
    quirks.scopeSeparator = ","
    quirks.supportsRefresh = false
    quirks.errorMembers = Quirks.ErrorMembers(code: ["error", "code"], description: ["error", "message"])
    quirks.callbackFragment = "_=_"
    return quirks
  }
}
