// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Provider {
  /// Apple ([Sign in with Apple REST API](https://developer.apple.com/documentation/signinwithapplerestapi)), for servers and the
  /// web; an app uses the system's own sign-in.
  ///
  /// The client authenticates with ``AppleClientSecret``. The callback arrives as a form that the browser posts, which Apple
  /// requires for the scopes `name` and `email`
  /// ([request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server)):
  /// hand it to ``OAuthClient/completeAuthorization(_:callback:form:)``. The user's name stands in that form, in the parameter
  /// `user`, at the first sign-in only. There is no userinfo endpoint; the identifier and the e-mail address are in the ID token,
  /// for which `openid` has to be among the scopes here.
  public static let apple = Provider(
    name: "Apple",
    server: ServerMetadata(
      issuer: "https://appleid.apple.com",
      authorizationEndpoint: URL(literal: "https://appleid.apple.com/auth/authorize"),
      tokenEndpoint: URL(literal: "https://appleid.apple.com/auth/token"),
      revocationEndpoint: URL(literal: "https://appleid.apple.com/auth/revoke"),
      jwksURI: URL(literal: "https://appleid.apple.com/auth/keys"),
      tokenEndpointAuthMethodsSupported: ["client_secret_post"]),
    authorizationParameters: ["response_mode": "form_post"])
}
