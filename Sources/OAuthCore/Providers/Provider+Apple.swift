// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Apple ([Sign in with Apple REST API](https://developer.apple.com/documentation/signinwithapplerestapi)), for servers and the
  /// web.
  ///
  /// Apps use the system's sign-in instead. The client authenticates with ``AppleClientSecret``.
  ///
  /// The browser sends the callback as a form, which Apple requires for the scopes `name` and `email`
  /// ([request an
  /// authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server)).
  /// Pass the form to ``OAuthClient/completeAuthorization(_:callback:form:)``. At the first sign-in only, its parameter
  /// `user` contains the user's name. There is no userinfo endpoint. The ID token contains the user's identifier and
  /// e-mail address. Request the scope `openid`.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | `response_mode=form_post`, which is required for `name` and `email` | `user_cancelled_authorize` in the callback |
  /// | refresh | none | none |
  /// | revocation | none | none |
  ///
  /// Checked against Apple's documentation: the parameters of “Token validation” and “Token revocation”, and the codes of
  /// “ErrorResponse”. By that documentation, a token request with a code contains no code verifier. Not checked: the errors of
  /// the callback.
  public static let apple = Provider(
    name: "Apple",
    server: ServerMetadata(
      issuer: "https://appleid.apple.com",
      authorizationEndpoint: URL(literal: "https://appleid.apple.com/auth/authorize"),
      tokenEndpoint: URL(literal: "https://appleid.apple.com/auth/token")
    ) {
      $0.revocationEndpoint = URL(literal: "https://appleid.apple.com/auth/revoke")
      $0.jwksURI = URL(literal: "https://appleid.apple.com/auth/keys")
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_post"]
    },
    authorizationParameters: ["response_mode": "form_post"], quirks: appleQuirks)

  /// The quirks of Apple: the documented parameters of the token endpoint contain no code verifier.
  private static var appleQuirks: Quirks {
    var quirks = Quirks()
    quirks.checksPKCE = false
    return quirks
  }
}
