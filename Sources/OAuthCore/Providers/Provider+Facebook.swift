// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Facebook ([manual login flow](https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow)), with version 23.0
  /// of the Graph API.
  ///
  /// There are no refresh tokens. The grant type `fb_exchange_token` exchanges a token for one valid for about 60 days
  /// ([long-lived tokens](https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived)).
  /// Afterwards, the user signs in again. The response omits the granted scopes.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | scopes separated by commas | `error_reason=user_denied` beside `access_denied`; `error.code` and `error.message` of the token endpoint |
  /// | `fb_exchange_token` | `fb_exchange_token`, the token to exchange | `error.code` and `error.message` |
  ///
  /// The codes `2`, `4`, `17` and `341` are temporary. Code `1` can be temporary, but a wrong secret causes it too. Checked
  /// against Facebook's documentation: the codes of “Handle errors” and, in part, “Manually build a login flow”.
  public static let facebook = Provider(
    name: "Facebook",
    server: ServerMetadata(
      issuer: "https://www.facebook.com",
      authorizationEndpoint: URL(literal: "https://www.facebook.com/v23.0/dialog/oauth"),
      tokenEndpoint: URL(literal: "https://graph.facebook.com/v23.0/oauth/access_token")
    ) {
      $0.jwksURI = URL(literal: "https://www.facebook.com/.well-known/oauth/openid/jwks/")
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_post"]
    },
    quirks: facebookQuirks)

  /// The quirks of Facebook: commas between scopes, and the errors of the Graph API
  /// ([handling errors](https://developers.facebook.com/docs/graph-api/guides/error-handling)).
  private static var facebookQuirks: Quirks {
    var quirks = Quirks()
    quirks.scopeSeparator = ","
    quirks.supportsRefresh = false
    quirks.errorMembers = Quirks.ErrorMembers(code: ["error", "code"], description: ["error", "message"])
    quirks.transientErrors = ["2", "4", "17", "341"]
    return quirks
  }
}
