// SPDX-License-Identifier: Apache-2.0

/// Gives access tokens: the seam between those who need one and those who know how to get one.
///
/// Take ``RefreshingTokenSource`` for a person who signed in. Sources compose: one may ask another. A double for a test
/// needs one method:
///
/// ```swift
/// struct FixedTokenSource: TokenSource {
///   func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken { AccessToken(Secret("token")) }
/// }
/// ```
public protocol TokenSource: Sendable {
  /// Returns an access token that should be accepted now.
  ///
  /// - Parameter rejected: A token from this source that a server answered with 401, so that it is not returned again, or
  ///   `nil`. Callers that report the same token share one replacement.
  /// - Returns: An access token.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired`` if only the person can help; `TransportError` and
  ///   `TokenStorageError` for faults that may pass; `CancellationError`, promptly, when the current task is cancelled.
  func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken
}

extension TokenSource {
  /// Returns an access token that should be accepted now.
  public func accessToken() async throws -> AccessToken {
    try await accessToken(replacing: nil)
  }
}
