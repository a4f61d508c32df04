// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// A token source that always returns the same access token.
///
/// Use it in tests, and for a token from elsewhere, such as the environment or another process. The source cannot
/// replace an expired token, unlike ``RefreshingTokenSource``.
///
/// ```swift
/// let api = transport.authorized(by: StaticTokenSource(Secret(token)), for: [.googleAPIs])
/// ```
public struct StaticTokenSource: TokenSource {
  /// The access token.
  public let token: AccessToken

  /// Creates a source of an access token.
  public init(_ token: AccessToken) { self.token = token }

  /// Creates a source of an access token of the type `Bearer`.
  public init(_ token: Secret) { self.init(AccessToken(token)) }

  /// Returns the access token.
  ///
  /// - Parameter rejected: A token rejected by a server with status 401, or `nil`.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired`` if the server rejected this token.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    guard rejected?.value != token.value else {
      throw OAuthError(
        .signInRequired, "The server rejected the access token, and its source has no other. Obtain a new access token."
      )
    }
    return token
  }
}
