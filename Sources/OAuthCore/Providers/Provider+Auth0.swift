// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

extension Provider {
  /// Reads the metadata of an Auth0 tenant
  /// ([authorization code flow with PKCE](https://auth0.com/docs/get-started/authentication-and-authorization-flow/authorization-code-flow-with-pkce)).
  ///
  /// The issuer ends with a slash. The server issues a refresh token only for the scope `offline_access`.
  ///
  /// - Parameters:
  ///   - domain: The domain of the tenant, such as `example.eu.auth0.com`, or a custom domain.
  ///   - audience: The identifier of the API the access tokens are for, or `nil` for the tenant's default. Without an
  ///     audience and a default, the tokens are valid only at the userinfo endpoint.
  ///   - transport: The transport for the request.
  /// - Throws: ``OAuthError``, `TransportError`, or `CancellationError`.
  public static func auth0(
    domain: String, audience: String? = nil, transport: some Transport
  ) async throws -> Provider {
    var provider = Provider(
      name: "Auth0", server: try await .discover(issuer: try issuer(of: domain) + "/", transport: transport))
    provider.authorizationParameters["audience"] = audience
    return provider
  }
}
