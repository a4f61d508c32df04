// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Provider {
  /// Meetup ([authentication](https://www.meetup.com/graphql/authentication/)).
  ///
  /// It takes the client's secret as a form parameter, writes the token type in lower case, gives no ID token, and has no
  /// revocation endpoint.
  public static let meetup = Provider(
    name: "Meetup",
    server: ServerMetadata(
      issuer: "https://secure.meetup.com",
      authorizationEndpoint: URL(literal: "https://secure.meetup.com/oauth2/authorize"),
      tokenEndpoint: URL(literal: "https://secure.meetup.com/oauth2/access"),
      tokenEndpointAuthMethodsSupported: ["client_secret_post"]))
}
