// SPDX-License-Identifier: Apache-2.0

import OAuthCore

/// A way to obtain the tokens of one kind of credential.
///
/// Each call obtains a new token. ``GoogleCredential`` caches tokens.
protocol CredentialMethod: Sendable {
  var kind: GoogleCredential.Kind { get }

  /// The account's e-mail address or numeric identifier, or `nil` if neither is known without a request.
  var principal: String? { get }

  /// Returns the credential's project.
  func projectID() async throws -> String?

  func accessToken(scopes: [Scope]) async throws -> AccessToken

  /// Returns a source of ID tokens.
  ///
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unsupported``.
  func idTokens(for audience: String) throws -> FetchedTokens
}

/// A token source that fetches a token for each call.
struct FetchedTokens: TokenSource {
  private let fetch: @Sendable () async throws -> AccessToken

  init(_ fetch: @escaping @Sendable () async throws -> AccessToken) { self.fetch = fetch }

  @concurrent func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken { try await fetch() }

  func cached(by environment: CredentialEnvironment) -> CachingTokenSource {
    // The metadata server returns the same token until four minutes before the token expires. An earlier request gets no new one.
    cached(clock: environment.clock, leeway: .seconds(225))
  }
}
