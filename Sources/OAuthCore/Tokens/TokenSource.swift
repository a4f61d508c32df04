// SPDX-License-Identifier: Apache-2.0

/// A type that returns access tokens.
///
/// Use ``RefreshingTokenSource`` for a user who signed in, ``ClientCredentials`` for the client itself, ``JWTBearer`` for a
/// signed assertion, ``TokenExchange`` for another token, and ``StaticTokenSource`` for an existing token. A custom source requests a
/// token at every call. ``cached(clock:leeway:)`` and ``cached(in:account:clock:leeway:)`` cache it until it is about to expire:
///
/// ```swift
/// struct SAMLBearer: TokenSource {
///   let client: OAuthClient
///   let assertion: @Sendable () async throws -> Secret
///   func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
///     try await client.requestAccessToken([
///       "grant_type": "urn:ietf:params:oauth:grant-type:saml2-bearer", "assertion": try await assertion().reveal(),
///     ])
///   }
/// }
/// let tokens = SAMLBearer(client: client, assertion: assertion).cached()
/// ```
///
/// In tests, use ``StaticTokenSource``.
public protocol TokenSource: Sendable {
  /// Returns a valid access token.
  ///
  /// - Parameter rejected: A token from this source, rejected by a server with status 401, or `nil` for none. It is not
  ///   returned again. Callers that pass the same token share one replacement.
  /// - Returns: An access token.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired`` if the user must sign in. Also
  ///   `TransportError` and `TokenStorageError` for transient failures, and `CancellationError`, immediately, when the
  ///   current task is cancelled.
  func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken

  /// The presentation of the source's tokens in requests.
  ///
  /// ``AuthorizedTransport`` reads it once, when it is created. Defaults to ``TokenPresentation/automatic``. A source
  /// that wraps another source returns that source's presentation.
  var presentation: any TokenPresentation { get }
}

extension TokenSource {
  /// The presentation required by the token's type.
  public var presentation: any TokenPresentation { .automatic }

  /// Returns a valid access token.
  ///
  /// - Throws: The errors of ``accessToken(replacing:)``.
  public func accessToken() async throws -> AccessToken {
    try await accessToken(replacing: nil)
  }
}
