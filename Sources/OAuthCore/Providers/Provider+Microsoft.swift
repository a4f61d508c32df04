// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Provider {
  /// Microsoft Entra ID, for one tenant
  /// ([endpoints](https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols)).
  ///
  /// A refresh token comes only with the scope `offline_access`. There is no revocation endpoint.
  ///
  /// - Parameter tenant: The tenant's identifier, a UUID. Names such as `common` do not work here: tokens are signed by the
  ///   tenant that the user belongs to, so the issuer could not be compared.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if it is not a UUID.
  public static func microsoft(tenant: String) throws -> Provider {
    guard let id = UUID(uuidString: tenant)?.uuidString.lowercased(),
      let base = URL(string: "https://login.microsoftonline.com/\(id)/")
    else {
      throw OAuthError(.invalidConfiguration, "A tenant is named by its UUID, which the Entra admin center shows.")
    }
    var quirks = Quirks()
    // https://learn.microsoft.com/en-us/entra/identity-platform/certificate-credentials
    quirks.assertionAudience = .tokenEndpoint
    return Provider(
      name: "Microsoft",
      server: ServerMetadata(
        issuer: "https://login.microsoftonline.com/\(id)/v2.0",
        authorizationEndpoint: base.appending(path: "oauth2/v2.0/authorize"),
        tokenEndpoint: base.appending(path: "oauth2/v2.0/token"),
        userinfoEndpoint: URL(literal: "https://graph.microsoft.com/oidc/userinfo"),
        jwksURI: base.appending(path: "discovery/v2.0/keys"),
        deviceAuthorizationEndpoint: base.appending(path: "oauth2/v2.0/devicecode"),
        tokenEndpointAuthMethodsSupported: ["client_secret_post", "private_key_jwt"]),
      quirks: quirks)
  }
}
