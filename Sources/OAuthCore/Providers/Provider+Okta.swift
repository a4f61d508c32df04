// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

extension Provider {
  /// Reads the metadata of an Okta authorization server
  /// ([authorization servers](https://developer.okta.com/docs/concepts/auth-servers/)).
  ///
  /// The server issues a refresh token only for the scope `offline_access`.
  ///
  /// - Parameters:
  ///   - domain: The domain of the organization, such as `example.okta.com`.
  ///   - authorizationServer: The identifier of the custom authorization server, or `nil` for the organization's
  ///     server, whose access tokens are for Okta's API. Defaults to `default`.
  ///   - transport: The transport for the request.
  /// - Throws: ``OAuthError``, `TransportError`, or `CancellationError`.
  public static func okta(
    domain: String, authorizationServer: String? = "default", transport: some Transport
  ) async throws -> Provider {
    let path = try authorizationServer.map { name in
      guard !name.isEmpty, !name.contains("/") else {
        throw OAuthError(
          .invalidConfiguration, "The authorization server must be an identifier without slashes, such as default.")
      }
      return "/oauth2/" + FormEncoding.query.encode(name)
    }
    return Provider(
      name: "Okta", server: try await .discover(issuer: try issuer(of: domain) + (path ?? ""), transport: transport))
  }

  /// Returns the https URL of a domain.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the text contains more than a domain.
  static func issuer(of domain: String) throws -> String {
    let issuer = "https://" + domain
    guard Origin(issuer)?.description == issuer.lowercasedASCII else {
      throw OAuthError(
        .invalidConfiguration, "\(OAuthError.printable(domain, limit: 200)) is not a domain name such as example.com.")
    }
    return issuer
  }
}
