// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

extension Provider {
  /// Reads the metadata of an authorization server of Okta
  /// ([authorization servers](https://developer.okta.com/docs/concepts/auth-servers/)).
  ///
  /// A refresh token comes only with the scope `offline_access`.
  ///
  /// - Parameters:
  ///   - domain: The domain of the organization, such as `example.okta.com`.
  ///   - authorizationServer: The custom authorization server; `nil` for that of the organization, whose access tokens are for
  ///     Okta's own API. Defaults to the one that is called `default`.
  ///   - transport: The transport that the request goes through.
  /// - Throws: ``OAuthError``; `TransportError`; `CancellationError`.
  public static func okta(
    domain: String, authorizationServer: String? = "default", transport: some Transport
  ) async throws -> Provider {
    let path = try authorizationServer.map { name in
      guard !name.isEmpty, !name.contains("/") else {
        throw OAuthError(.invalidConfiguration, "An authorization server is named by its identifier, such as default.")
      }
      return "/oauth2/" + FormEncoding.query.encode(name)
    }
    return Provider(
      name: "Okta", server: try await .discover(issuer: try issuer(of: domain) + (path ?? ""), transport: transport))
  }

  /// Returns the https URL of a domain, which is no more than that.
  static func issuer(of domain: String) throws -> String {
    let issuer = "https://" + domain
    guard Origin(issuer)?.description == issuer.lowercasedASCII else {
      throw OAuthError(
        .invalidConfiguration, "\(OAuthError.printable(domain, limit: 200)) is not a domain, such as example.com.")
    }
    return issuer
  }
}
