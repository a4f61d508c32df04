// SPDX-License-Identifier: Apache-2.0

/// Returns access tokens: the protocol between the code that sends requests and the code that obtains tokens.
///
/// Use ``RefreshingTokenSource`` for a user who signed in, ``ClientCredentials`` for the client itself, ``JWTBearer`` for a
/// signed assertion, ``TokenExchange`` for another token, and ``StaticTokenSource`` for a token that is there. A source of your own requests a token each time it is asked, and
/// ``cached(in:account:clock:leeway:)`` keeps the token until it is about to expire:
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
/// ``StaticTokenSource`` returns one token, in a test for example.
public protocol TokenSource: Sendable {
  /// Returns an access token that should be accepted now.
  ///
  /// - Parameter rejected: A token from this source that a server refused with 401, so that it is not returned again, or
  ///   `nil`. Callers that report the same token share one replacement.
  /// - Returns: An access token.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired`` if the user has to sign in; `TransportError` and
  ///   `TokenStorageError` for faults that may pass; `CancellationError`, promptly, when the current task is cancelled.
  func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken
}

extension TokenSource {
  /// Returns an access token that should be accepted now.
  ///
  /// - Throws: What ``accessToken(replacing:)`` throws.
  public func accessToken() async throws -> AccessToken {
    try await accessToken(replacing: nil)
  }
}
