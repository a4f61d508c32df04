// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthScope

/// A source of access tokens for the client itself rather than for a user
/// ([RFC 6749 § 4.4](https://www.rfc-editor.org/rfc/rfc6749.html#section-4.4)).
///
/// Every call requests a new token. ``TokenSource/cached(clock:leeway:)`` caches it, and
/// ``TokenSource/cached(in:account:clock:leeway:)`` shares it with other processes:
///
/// ```swift
/// let tokens = ClientCredentials(client: client, scopes: ["reports.read"]).cached()
/// let api = http.authorized(by: tokens, for: [origin])
/// ```
public struct ClientCredentials: TokenSource {
  private let client: OAuthClient
  private let scopes: [Scope]
  private let parameters: AuthorizationParameters

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - client: The client, which must authenticate.
  ///   - scopes: The scopes to request. If empty, the server decides.
  ///   - parameters: Further parameters of the request, such as `audience`.
  public init(client: OAuthClient, scopes: [Scope] = [], parameters: AuthorizationParameters = [:]) {
    self.client = client
    self.scopes = scopes
    self.parameters = parameters
  }

  /// The presentation required by the token's type, with the client's clock.
  public var presentation: any TokenPresentation { AutomaticPresentation(clock: client.clock) }

  /// Requests an access token.
  ///
  /// - Throws: ``OAuthError``, such as with code ``OAuthError/Code/requestRejected`` if the server rejects the client.
  ///   Also `TransportError` and `CancellationError`.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    try await client.accessToken(["grant_type": "client_credentials"], scopes: scopes, parameters: parameters)
  }
}
