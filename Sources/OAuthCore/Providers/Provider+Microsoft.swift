// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Returns Microsoft Entra ID, for one tenant
  /// ([endpoints](https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols)).
  ///
  /// The server issues a refresh token only for the scope `offline_access`. There is no revocation endpoint.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | scope `offline_access` for a refresh token | `invalid_resource`; `consent_required` and `interaction_required` also of the token endpoint |
  /// | refresh | none | `invalid_resource`, `interaction_required`, `consent_required` |
  /// | device | `message` in the response | `authorization_declined`, `bad_verification_code`; `code_expired` beside `expired_token` |
  ///
  /// Checked against Microsoft's documentation: all parameters and codes of “OAuth 2.0 authorization code flow” and “OAuth 2.0
  /// device authorization grant flow”. Neither page contains `code_expired`, which Microsoft's libraries use.
  ///
  /// - Parameter tenant: The tenant's identifier, a UUID. Names such as `common` are not supported. Their tokens have the user's
  ///   own tenant as issuer, which the client could not compare with an expected one.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if `tenant` is not a UUID.
  public static func microsoft(tenant: String) throws -> Provider {
    guard let id = UUID(uuidString: tenant)?.uuidString.lowercased(),
      let base = URL(string: "https://login.microsoftonline.com/\(id)/")
    else {
      throw OAuthError(.invalidConfiguration, "The tenant must be a UUID. Copy it from the Entra admin center.")
    }
    var quirks = Quirks()
    // https://learn.microsoft.com/en-us/entra/identity-platform/certificate-credentials
    quirks.assertionAudience = .tokenEndpoint
    return Provider(
      name: "Microsoft",
      server: ServerMetadata(
        issuer: "https://login.microsoftonline.com/\(id)/v2.0",
        authorizationEndpoint: base.appending(path: "oauth2/v2.0/authorize"),
        tokenEndpoint: base.appending(path: "oauth2/v2.0/token")
      ) {
        $0.userinfoEndpoint = URL(literal: "https://graph.microsoft.com/oidc/userinfo")
        $0.jwksURI = base.appending(path: "discovery/v2.0/keys")
        $0.deviceAuthorizationEndpoint = base.appending(path: "oauth2/v2.0/devicecode")
        $0.tokenEndpointAuthMethodsSupported = ["client_secret_post", "private_key_jwt"]
      },
      quirks: quirks)
  }
}
