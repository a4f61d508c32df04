// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Provider {
  /// Google ([OAuth 2.0 for desktop apps](https://developers.google.com/identity/protocols/oauth2/native-app)).
  ///
  /// A refresh token comes only with `access_type=offline`, and again after the first consent only with `prompt=consent`;
  /// a sign-in happens only when there is no good refresh token, so both are requested.
  public static let google = Provider(
    name: "Google",
    server: ServerMetadata(
      issuer: "https://accounts.google.com",
      authorizationEndpoint: URL(literal: "https://accounts.google.com/o/oauth2/v2/auth"),
      tokenEndpoint: URL(literal: "https://oauth2.googleapis.com/token"),
      revocationEndpoint: URL(literal: "https://oauth2.googleapis.com/revoke"),
      userinfoEndpoint: URL(literal: "https://openidconnect.googleapis.com/v1/userinfo"),
      jwksURI: URL(literal: "https://www.googleapis.com/oauth2/v3/certs"),
      deviceAuthorizationEndpoint: URL(literal: "https://oauth2.googleapis.com/device/code"),
      // The method of Google's own clients and documentation.
      tokenEndpointAuthMethodsSupported: ["client_secret_post"],
      // ID tokens may name the issuer without a scheme.
      issuerAliases: ["accounts.google.com"]),
    authorizationParameters: ["access_type": "offline", "prompt": "consent"], quirks: googleQuirks)

  private static var googleQuirks: Quirks {
    var quirks = Quirks()
    // https://developers.google.com/identity/openid-connect/openid-connect#authenticationuriparameters
    quirks.acceptsSubjectAsLoginHint = true
    return quirks
  }
}
