// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension Provider {
  /// Meetup ([authentication](https://www.meetup.com/graphql/authentication/)).
  ///
  /// The secret is a form parameter, and the token type is in lower case. The server issues no ID tokens and has no revocation endpoint.
  ///
  /// | Grant | Parameters beyond the specification | Errors beyond the specification |
  /// |---|---|---|
  /// | code | none | none |
  /// | refresh | none | none |
  ///
  /// Checked against Meetup's documentation: the endpoints and redirect URIs of “Using OAuth 2”. Not checked: the errors, and
  /// whether the server verifies PKCE.
  public static let meetup = Provider(
    name: "Meetup",
    server: ServerMetadata(
      issuer: "https://secure.meetup.com",
      authorizationEndpoint: URL(literal: "https://secure.meetup.com/oauth2/authorize"),
      tokenEndpoint: URL(literal: "https://secure.meetup.com/oauth2/access")
    ) {
      $0.tokenEndpointAuthMethodsSupported = ["client_secret_post"]
    })
}
