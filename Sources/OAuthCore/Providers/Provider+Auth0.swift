// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

extension Provider {
  /// Reads the metadata of a tenant of Auth0
  /// ([authorization code flow with PKCE](https://auth0.com/docs/get-started/authentication-and-authorization-flow/authorization-code-flow-with-pkce)).
  ///
  /// The issuer ends with a slash. A refresh token comes only with the scope `offline_access`.
  ///
  /// - Parameters:
  ///   - domain: The domain of the tenant, such as `example.eu.auth0.com`, or one of its own.
  ///   - audience: The API that access tokens are for, by its identifier; `nil` for the tenant's default. Without one, they are
  ///     good for the userinfo endpoint alone.
  ///   - transport: The transport that the request goes through.
  /// - Throws: ``OAuthError``; `TransportError`; `CancellationError`.
  public static func auth0(
    domain: String, audience: String? = nil, transport: some Transport
  ) async throws -> Provider {
    var provider = Provider(
      name: "Auth0", server: try await .discover(issuer: try issuer(of: domain) + "/", transport: transport))
    provider.authorizationParameters["audience"] = audience
    return provider
  }
}
